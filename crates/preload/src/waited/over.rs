//! A wait that is over.

use crate::contended::{Contended, PLACES};
use crate::index::Key;
use crate::place::Place;
use crate::usage::Usage;

/// How it ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With the lock, or with what was waited for.
    Done,
    TimedOut,
    /// In some other way: nothing is counted but the time of the thread.
    Failed,
}

/// A wait that is over, and counted. Who had the lock meanwhile, the stack, and the split into its parts are not entered yet.
#[derive(Clone, Copy)]
pub struct Waited {
    pub key: Key,
    pub since_ns: u64,
    pub now_ns: u64,
    pub waited_ns: u64,
    pub end: End,
    pub is_for_lock: bool,
    /// The number of waits that this one represents in what is found out for some waits only; zero if that is not found out for it.
    pub stands_for: u64,
    /// The number of the stack that it waited with.
    pub stack: u32,
    /// Where the holder had acquired the lock when the wait began, if that was seen.
    pub holder: Place,
    pub holders: Option<Holders>,
    /// What the thread used while it waited, if that was examined.
    pub used: Option<Usage>,
}

/// Who had the lock while a thread waited for it, as it was known at the end of the wait.
#[derive(Clone, Copy)]
pub struct Holders {
    pub entry: &'static Contended,
    pub charged_ns: [u64; PLACES],
    /// When it was released last, and the place of who released it.
    pub last_release: (u64, Place),
}

impl Waited {
    /// Whether nothing is to be entered but that it was.
    pub fn is_all_entered(&self) -> bool {
        self.holders.is_none() && (self.stands_for == 0 || self.end == End::Failed)
    }
}
