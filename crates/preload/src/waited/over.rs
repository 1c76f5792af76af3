//! A wait that is over.

use crate::contended::{Contended, PLACES};
use crate::index::Key;
use crate::place::Place;
use crate::usage::Usage;

/// How it ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With the lock, or with the awaited event.
    Done,
    TimedOut,
    /// In some other way: only the thread's time is counted.
    Failed,
}

/// A wait that is over and counted. The holders meanwhile, the stack, and the split into its parts are not entered yet.
#[derive(Clone, Copy)]
pub struct Waited {
    pub key: Key,
    pub since_ns: u64,
    pub now_ns: u64,
    pub waited_ns: u64,
    pub end: End,
    pub is_for_lock: bool,
    /// The number of waits that this one represents in figures that are taken for a sample only; zero if this wait is not in
    /// the sample.
    pub stands_for: u64,
    /// The number of the stack with which it waited.
    pub stack: u32,
    /// Where the holder had acquired the lock when the wait began, if that was seen.
    pub holder: Place,
    pub holders: Option<Holders>,
    /// The thread's usage during the wait, if that was examined.
    pub used: Option<Usage>,
}

/// The holders of the lock while a thread waited for it, as known at the end of the wait.
#[derive(Clone, Copy)]
pub struct Holders {
    pub entry: &'static Contended,
    pub charged_ns: [u64; PLACES],
    /// The time of the last release, and the place of the thread that released the lock.
    pub last_release: (u64, Place),
}

impl Waited {
    /// Whether nothing remains to be entered except the wait itself.
    pub fn is_all_entered(&self) -> bool {
        self.holders.is_none() && (self.stands_for == 0 || self.end == End::Failed)
    }
}

#[cfg(test)]
impl Waited {
    /// A wait from 1 to 3 for a mutex.
    pub fn made_up(lock: usize) -> Self {
        use locktoll_recording::layout::{EntryPoint, LockKind};

        Self {
            key: Key {
                lock,
                generation: 0,
                site: 0,
                entry: EntryPoint::Lock,
                kind: LockKind::Mutex,
                birth: 0,
                other: 0,
            },
            since_ns: 1,
            now_ns: 3,
            waited_ns: 2,
            end: End::Done,
            is_for_lock: true,
            stands_for: 1,
            stack: 0,
            holder: Place::NOWHERE,
            holders: None,
            used: None,
        }
    }
}
