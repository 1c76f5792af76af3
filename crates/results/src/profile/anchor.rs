//! How a row's locks are found again in another run.

use std::path::PathBuf;

/// One of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Anchor {
    /// The object at that place.
    pub what: Anchored,
    /// The file, as the process had it mapped.
    pub module: PathBuf,
    /// Bytes from where the file is loaded.
    pub offset: u64,
}

/// The object of an anchor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Anchored {
    /// A lock.
    Object,
    /// The return address of the call that initialised locks, or first acquired locks that no call initialised.
    Site,
}
