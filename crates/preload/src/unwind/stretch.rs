//! A range of code, and the location of its unwind tables.

/// A stretch of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The first address.
    pub start: usize,
    /// The address after the last.
    pub end: usize,
    /// The address where `.eh_frame_hdr` of its file is mapped, or 0 if it has none.
    pub index: usize,
}
