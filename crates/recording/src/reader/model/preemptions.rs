//! The kernel's data about threads that held locks while they did not run.

use std::boxed::Box;

use super::Key;
use crate::histogram;
use crate::layout::{OffCpu, WatchedBy};

/// How preempted holders were watched for in a process, and what was missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Watch {
    /// The method.
    pub by: WatchedBy,
    /// Threads that reported where their list of locks is.
    pub threads: u64,
    /// The following figures are for the whole run, and are only in its first part. Times that a holder did not run for which
    /// there was no room.
    pub unkept: u64,
    /// Waiting meanwhile for which there was no room.
    pub waits_unkept: u64,
    /// Times that a thread's list could not be read.
    pub unread: u64,
    /// Locks beyond the first few that a thread held at once.
    pub too_many_held: u64,
    /// Threads that could not report where their list is.
    pub unregistered: u64,
    /// Times that a thread came back to a processor without being seen.
    pub unseen: u64,
}

/// Times that a thread which held a lock did not run, for one reason.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Preemption {
    /// The lock, and where it had been acquired. The figures are sums over all threads: the slot is zero.
    pub key: Key,
    /// The reason.
    pub why: OffCpu,
    /// The number of times.
    pub count: u64,
    /// The total time.
    pub total_ns: u64,
    /// The longest time.
    pub max_ns: u64,
    /// Times by length: see [`histogram`].
    pub histogram: Box<[u64; histogram::BUCKETS]>,
}

/// Waiting of one thread at one site for a lock while a holder of that lock was preempted.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PreemptedWait {
    /// The lock, and where it was waited for. The entry point is the holder's, and the slot is zero.
    pub key: Key,
    /// The waiting thread.
    pub tid: u32,
    /// How many times it was seen to wait meanwhile.
    pub count: u64,
    /// The total time.
    pub wait_ns: u64,
    /// The longest time.
    pub max_ns: u64,
}
