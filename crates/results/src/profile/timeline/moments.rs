//! Signals, calls that may block, and times without a CPU.

use serde::{Deserialize, Serialize};

use super::columns::table;
use super::index::Index;

table! {
    /// Signals to other threads. Each field is a column.
    Signals of Signal:
    /// The thread that signalled: an index of `threads`.
    thread: u32,
    /// The condition variable or semaphore: an index of `locks`.
    lock: u32,
    /// When, nanoseconds.
    at_ns: u64,
    /// Its kind.
    kind: SignalKind,
    /// Where: an index of `stacks`.
    place: Index,
    /// How many waits it ended, as far as they are known.
    woken: u32,
}

table! {
    /// Calls that may block, made while a lock was held. Each field is a column.
    Blocks of Block:
    /// The thread: an index of `threads`.
    thread: u32,
    /// The lock that it had acquired last: an index of `locks`.
    lock: u32,
    /// When the call began, nanoseconds.
    begin_ns: u64,
    /// When it returned, nanoseconds.
    end_ns: u64,
}

table! {
    /// Times in which a thread had no CPU. Each field is a column.
    Switches of Switch:
    /// The thread: an index of `threads`.
    thread: u32,
    /// When the kernel took it off its CPU, nanoseconds.
    out_ns: u64,
    /// When it ran again, nanoseconds.
    in_ns: u64,
    /// The thread that woke it; `null` if that is not known, or if it was preempted.
    waker: Index,
    /// Whether it could have continued: it was preempted.
    preempted: bool,
}

/// The kind of a signal. A number in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(into = "u8", try_from = "u8")]
#[repr(u8)]
pub enum SignalKind {
    /// To one thread that waits for a condition.
    One = 0,
    /// To all threads that wait for a condition.
    All = 1,
    /// A unit of a semaphore.
    Post = 2,
}

impl From<SignalKind> for u8 {
    fn from(kind: SignalKind) -> Self {
        kind as Self
    }
}

impl TryFrom<u8> for SignalKind {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        let found = [Self::One, Self::All, Self::Post].into_iter();
        let mut found = found.filter(|&it| it as u8 == number);
        found
            .next()
            .ok_or_else(|| format!("no signal has the number {number}; accepted: 0 to 2"))
    }
}

impl Signals {
    pub(super) fn is_sound(&self, threads: usize, locks: usize, stacks: usize) -> bool {
        self.is_even(threads)
            && self.lock.iter().all(|&it| (it as usize) < locks)
            && Index::all_below(&self.place, stacks)
    }
}

impl Blocks {
    pub(super) fn is_sound(&self, threads: usize, locks: usize) -> bool {
        self.is_even(threads)
            && self.lock.iter().all(|&it| (it as usize) < locks)
            && self.begin_ns.iter().zip(&self.end_ns).all(|(a, b)| a <= b)
    }
}

impl Switches {
    pub(super) fn is_sound(&self, threads: usize) -> bool {
        self.is_even(threads)
            && Index::all_below(&self.waker, threads)
            && self.out_ns.iter().zip(&self.in_ns).all(|(a, b)| a <= b)
    }
}
