//! How a row's locks can be found again in another run.

use std::path::PathBuf;

/// An anchor of locks of the row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anchor {
    /// The object at that place.
    pub what: Anchored,
    /// The file, as the process had it mapped.
    pub module: PathBuf,
    /// Bytes from the address at which the file is loaded.
    pub offset: u64,
}

/// The object of an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Anchored {
    /// A lock.
    Object,
    /// All locks of a variable that contains many; its size in bytes.
    Within(u64),
    /// The return address of the call that initialised locks, or first acquired locks that no call initialised.
    Site,
}
