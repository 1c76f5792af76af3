//! The facts that a source knows about one row.

use super::members::Members;
use super::origin::Origin;
use super::waits::Waits;
use locktoll_results::profile::Frame;
use locktoll_results::profile::{
    Anchor, Blame, FutexCalls, HoldTimes, HolderPreemption, LockKind, Site, StackWaits,
    StillWaiting, Takers, Use, WaitSplit, WhileHeld, WokenBy,
};

/// One lock, or all locks that share a row. `None` means that the source cannot know.
///
/// Lists are in an order that is the same in every run. The joiner sorts them by cost, and keeps the order of entries with the
/// same cost.
pub struct Facts {
    /// The kind.
    pub kind: LockKind,
    /// What it is used for.
    pub used_as: Use,
    /// Whether it is a semaphore that is posted by threads that do not hold it.
    pub posted: bool,
    /// Where it lies or comes from.
    pub origin: Origin,
    /// The place that took it first or, failing that, the place that represents it.
    pub first_site: Vec<Frame>,
    /// The number of locks.
    pub instances: u64,
    /// Calls that returned: acquisitions, or waits for a signal.
    pub calls: Option<u64>,
    /// Acquisitions shared with other readers.
    pub read_acquisitions: Option<u64>,
    /// Which threads acquired it.
    pub takers: Option<Takers>,
    /// Attempts that failed because it was taken.
    pub try_failed: Option<u64>,
    /// Waits that ended.
    pub waits: Waits,
    /// The parts of the waiting time.
    pub wait_split: Option<WaitSplit>,
    /// Waits that had not ended at the end.
    pub unended: Unended,
    /// How long it was held.
    pub hold_ns: Option<HoldTimes>,
    /// Whether its holds are shorter than what recording them adds.
    pub recorder_dominates: bool,
    /// What happened while it was held.
    pub while_held: Option<WhileHeld>,
    /// Holders that lost their processor.
    pub preemption: Option<HolderPreemption>,
    /// Of a signal, the other side.
    pub wakes: Wakes,
    /// By place.
    pub sites: Vec<Site>,
    /// By stack.
    pub stacks: Vec<StackWaits>,
    /// Single locks.
    pub members: Members,
    /// How the waiting is charged to holders.
    pub blame: Vec<Blame>,
    /// Which places ended which waits.
    pub woken_by: Vec<WokenBy>,
    /// The system calls for waiting and waking.
    pub futex: Option<FutexCalls>,
    /// Where its locks are found again.
    pub anchors: Vec<Anchor>,
    /// As in [`Lock`](locktoll_results::profile::Lock).
    pub spun_words: Vec<(u32, u64)>,
    /// As in [`Lock`](locktoll_results::profile::Lock).
    pub near_words: Vec<(u32, u64, i64)>,
}

/// Waits that had not ended at the end.
#[derive(Default)]
pub struct Unended {
    /// Threads that waited.
    pub threads: u64,
    /// Their total time, in nanoseconds.
    pub wait_ns: u64,
    /// The waits, in any order.
    pub waits: Vec<StillWaiting>,
}

/// Calls that wake threads which are waiting for a signal.
#[derive(Default)]
pub struct Wakes {
    /// The total time from the last signal to the return of the wait, in nanoseconds.
    pub relock_ns: Option<u64>,
    /// Calls that woke one waiter.
    pub signals: Option<u64>,
    /// Calls that woke all.
    pub broadcasts: Option<u64>,
}
