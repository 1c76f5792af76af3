//! Locks that were acquired while others were held.

use std::vec::Vec;

use super::Key;
use crate::layout::OrderEvent;

/// An event while a thread held other locks, most often an acquisition. All events of one thread slot with the same place, the
/// same lock and the same held locks are one.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Order {
    /// The event.
    pub event: OrderEvent,
    /// The lock that was acquired, the condition that was waited for; `None` if the event concerns no further lock. If the locks
    /// are pooled, this one and the held ones are known by their births alone.
    pub acquired: Option<Key>,
    /// The call: index into [`Part::sites`](super::Part::sites).
    pub site: Option<usize>,
    /// The call's stack: index into [`Part::stacks`](super::Part::stacks).
    pub stack: Option<usize>,
    /// The thread slot.
    pub thread_slot: u32,
    /// How often.
    pub times: u64,
    /// Whether the acquired lock is a reader-writer lock at which readers wait while a writer waits.
    pub prefers_writers: bool,
    /// How many threads with this slot made the event.
    pub threads: u32,
    /// The ids of the first of these threads.
    pub tids: Vec<u32>,
    /// How many locks were held. There may be fewer in `held`, but no more.
    pub held_locks: u32,
    /// The held locks, those acquired last, in the order of their acquisition.
    pub held: Vec<HeldLock>,
}

/// A lock that was held, and where it had been acquired.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct HeldLock {
    /// The lock and the call.
    pub key: Key,
    /// The call's stack: index into [`Part::stacks`](super::Part::stacks).
    pub stack: Option<usize>,
    /// Whether the acquired lock ever lay at a higher address.
    pub upwards: bool,
    /// Whether the acquired lock ever lay at a lower address.
    pub downwards: bool,
}
