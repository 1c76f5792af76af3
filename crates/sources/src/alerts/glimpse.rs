//! What one look at a process sees.

use locktoll_recording::layout::LockKind;

/// A process at one moment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Glimpse {
    /// The process.
    pub pid: u32,
    /// When, `CLOCK_MONOTONIC`, nanoseconds.
    pub at_ns: u64,
    /// The locks that threads hold.
    pub holds: Vec<Hold>,
    /// The waits of threads.
    pub waits: Vec<Wait>,
}

/// A lock that a thread holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hold {
    /// The thread.
    pub tid: u32,
    /// The kind of the lock.
    pub kind: LockKind,
    /// The lock's address.
    pub lock: u64,
    /// The site where it was acquired, by its number in the part.
    pub site: u32,
    /// The record of the acquisition, and how often it has counted one: the same in two looks means the same hold.
    pub record: (u64, u64),
}

/// A wait of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Wait {
    /// The thread.
    pub tid: u32,
    /// The lock's address.
    pub lock: u64,
    /// The site, by its number in the part.
    pub site: u32,
    /// When it began, `CLOCK_MONOTONIC`.
    pub since_ns: u64,
    /// The holder's thread id and the site of its acquisition, as seen when the wait began.
    pub holder: Option<(u32, u32)>,
}
