//! The subject of a watch.

/// What is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Every process that can be seen.
    Machine,
    /// The threads of one process, by its id.
    Process(u32),
}
