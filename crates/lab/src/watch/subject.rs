//! The subject of a watch.

/// The subject of a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Every visible process.
    Machine,
    /// The threads of one process, by its id.
    Process(u32),
}
