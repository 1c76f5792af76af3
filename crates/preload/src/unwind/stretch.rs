//! A range of code, and the place of its unwind tables.

/// A stretch of code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// First address.
    pub start: usize,
    /// The address after the last.
    pub end: usize,
    /// Where `.eh_frame_hdr` of its file is mapped; 0 if it has none.
    pub index: usize,
}
