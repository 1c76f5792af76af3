//! Acquisitions, waits, holds and blame, by lock and call site.

use std::boxed::Box;
use std::vec::Vec;

use crate::histogram;
use crate::layout::{EntryPoint, LockKind, POOLED};

/// The subject of a record's figures: one lock, at one call site, by one thread slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Key {
    /// The lock's address.
    pub lock_address: u64,
    /// Distinguishes locks that lived at the same address; zero where they were not distinguished.
    pub generation: u32,
    /// The kind of the lock.
    pub kind: LockKind,
    /// The function.
    pub entry: EntryPoint,
    /// Index into [`Part::sites`](super::Part::sites); `None` if the recorder could not keep it.
    pub site: Option<usize>,
    /// The thread slot, see [`Thread::slot`](super::Thread::slot).
    pub thread_slot: u32,
    /// Index into [`Part::births`](super::Part::births); `None` if not known.
    pub birth: Option<usize>,
}

impl Key {
    /// Whether the figures are sums over all locks of one birth, because there were too many to keep separately.
    #[must_use]
    pub fn is_pooled(&self) -> bool {
        self.lock_address == POOLED
    }
}

/// Acquisitions of one lock at one call site by one thread slot. What is counted depends on the entry point: see
/// [`EntryPoint`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Count {
    /// As in [`Key`].
    pub lock_address: u64,
    /// As in [`Key`].
    pub generation: u32,
    /// As in [`Key`].
    pub kind: LockKind,
    /// As in [`Key`].
    pub entry: EntryPoint,
    /// As in [`Key`].
    pub site: Option<usize>,
    /// As in [`Key`].
    pub thread_slot: u32,
    /// As in [`Key`].
    pub birth: Option<usize>,
    /// Acquisitions, contended or not.
    pub acquisitions: u64,
    /// Waits and failed attempts; `None` if there never was one.
    pub contention: Option<Box<Contention>>,
}

/// Waits and failed attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contention {
    /// Acquisitions that were waited for.
    pub contended: u64,
    /// The total time of all waits, including those that were given up.
    pub wait_total_ns: u64,
    /// The longest wait.
    pub wait_max_ns: u64,
    /// Attempts that failed because the lock was taken.
    pub try_failed: u64,
    /// Waits that ended at their deadline, without the lock.
    pub timed_out: u64,
    /// The part of `wait_total_ns` in which the thread was woken and not running yet.
    pub runnable_ns: u64,
    /// For a wait for a condition: the time from the last signal to the return.
    pub relock_ns: u64,
    /// How many waits were examined for the following figures.
    pub examined: u64,
    /// The total length of the examined waits.
    pub examined_ns: u64,
    /// Processor time used in the examined waits.
    pub examined_cpu_ns: u64,
    /// Voluntary context switches in the examined waits.
    pub voluntary_switches: u64,
    /// Involuntary context switches in the examined waits.
    pub involuntary_switches: u64,
    /// Waits by length, bucket `i` from 2^i up to 2^(i+1) ns: see [`histogram`].
    pub wait_histogram: [u64; histogram::BUCKETS],
}

/// How long a lock acquired at a site was held.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Hold {
    /// The lock and the place; see [`Key::is_pooled`].
    pub key: Key,
    /// How many holds were timed.
    pub timed: u64,
    /// The total length of the timed holds.
    pub timed_total_ns: u64,
    /// The total length of all holds, estimated from the timed ones.
    pub estimated_total_ns: u64,
    /// The longest timed hold.
    pub max_ns: u64,
    /// How many of the timed holds were examined for context switches.
    pub examined: u64,
    /// Examined holds in which the thread blocked at least once.
    pub blocked: u64,
    /// Voluntary context switches in the examined holds.
    pub voluntary_switches: u64,
    /// Involuntary context switches in the examined holds.
    pub involuntary_switches: u64,
    /// System calls that may block, entered while the lock was held, in all holds.
    pub system_calls: u64,
    /// For examined holds in which the thread was preempted and never blocked: time without a processor.
    pub off_cpu_ns: u64,
    /// The estimated number of holds that seem to have been interrupted, where holds are too short to be examined.
    pub gaps: u64,
    /// The total length of those, estimated.
    pub gap_ns: u64,
    /// Timed holds by length: see [`histogram`].
    pub hold_histogram: [u64; histogram::BUCKETS],
    /// Functions called in holds: empty before minor version 5 of the format.
    pub calls: Vec<CallsInHolds>,
}

/// Calls of one function of the C library that may block, during holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallsInHolds {
    /// The function: see [`call_name`](crate::layout::call_name).
    pub number: u8,
    /// How many calls returned.
    pub count: u64,
    /// The time in them.
    pub total_ns: u64,
}

/// Waiting at one site, charged to the site where the holder had acquired the lock.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Blame {
    /// The lock, and the waiter.
    pub key: Key,
    /// Where the holder had acquired it: index into [`Part::sites`](super::Part::sites); `None` if not known.
    pub holder_site: Option<usize>,
    /// The innermost calls through which it had acquired the lock: index into [`Part::stacks`](super::Part::stacks); `None` if
    /// not known.
    pub holder_stack: Option<usize>,
    /// Waits in which this holder had the largest share.
    pub waits: u64,
    /// Time waited because of this holder.
    pub wait_ns: u64,
}

/// Waiting at one site, by the stack of calls that led there.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct StackWait {
    /// The lock, and the waiter.
    pub key: Key,
    /// Index into [`Part::stacks`](super::Part::stacks); `None` if no stack could be kept.
    pub stack: Option<usize>,
    /// Waits with this stack.
    pub waits: u64,
    /// Time waited with this stack.
    pub wait_ns: u64,
}
