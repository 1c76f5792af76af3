//! Holds of one lock in quick succession, whose releases admit nobody although threads wait.
//!
//! A thread that waits may have no CPU, or may lose the race for the lock again and again. Meanwhile the holder releases and
//! acquires the lock millions of times a second, and somebody waits at each release. Such a release ends no wait, as long as no wait
//! for the lock begins or ends: the lock's entry counts these *turns* (see `contended`). So of a series of releases in one turn, the
//! ring keeps the first, since a wait may have begun during its hold, and the last, which is written again until the turn is over.
//!
//! # Invariants
//!
//! - **Q1** The series changes only while the events are busy (R2), so a signal handler finds all of it or leaves it alone.
//! - **Q2** `last` is null, or the record that was published last: whatever publishes another one makes it null.

use core::cell::Cell;
use core::ptr::{from_ref, null};
use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{CountRecord, EventRecord, EventWords};

use super::Events;

/// Releases of one series are less than this apart, and their holds are shorter. All others are events of their own.
pub const APART_NS: u64 = 10_000;

/// A release while a thread waits.
#[derive(Clone, Copy)]
pub struct Passed {
    /// The record of the acquisition.
    count: *const CountRecord,
    /// The lock: its address and its generation.
    lock: u64,
    generation: u32,
    /// The lock's turns, read after the release was noted in the lock's entry.
    turns: u32,
    /// When the lock was released.
    at_ns: u64,
}

impl Passed {
    #[inline(always)]
    pub fn new(count: &CountRecord, turns: u32, at_ns: u64) -> Self {
        Self {
            count,
            lock: count.lock.load(Relaxed),
            generation: count.generation.load(Relaxed),
            turns,
            at_ns,
        }
    }

    pub fn at_ns(&self) -> u64 {
        self.at_ns
    }
}

/// The series that a thread's last release belongs to. All zeros is none.
pub(super) struct Series {
    count: Cell<*const CountRecord>,
    lock: Cell<u64>,
    generation: Cell<u32>,
    turns: Cell<u32>,
    at_ns: Cell<u64>,
    last: Cell<*const EventRecord>,
}

impl Series {
    /// Notes that the record that was published last is not one of a series.
    #[inline(always)]
    pub(super) fn interrupt(&self) {
        self.last.set(null());
    }

    /// Whether `next` belongs to the series.
    #[inline(always)]
    fn goes_on(&self, next: &Passed) -> bool {
        // A clock that went back gives a long time.
        self.turns.get() == next.turns
            && next.at_ns.wrapping_sub(self.at_ns.get()) < APART_NS
            && self.lock.get() == next.lock
            && self.generation.get() == next.generation
    }

    fn set(&self, passed: &Passed) {
        self.count.set(passed.count);
        self.lock.set(passed.lock);
        self.generation.set(passed.generation);
        self.turns.set(passed.turns);
        self.at_ns.set(passed.at_ns);
    }
}

impl Events {
    /// Lets the last event of the series end at the release `next`, if it has the same count. Returns `false` if it does not belong to
    /// the series, and in a handler that has interrupted an event.
    #[inline(always)]
    pub fn prolong(&self, next: &Passed) -> bool {
        let is_prolonged = self.alone(|| {
            let (series, last) = (&self.series, self.series.last.get());
            if last.is_null() || series.count.get() != next.count || !series.goes_on(next) {
                return false;
            }
            // SAFETY: Q2, and R1: it stays mapped. Relaxed: a reader sees the one end or the other.
            unsafe { &*last }.words[2].store(next.at_ns, Relaxed);
            series.at_ns.set(next.at_ns);
            true
        });
        is_prolonged.unwrap_or(false)
    }

    /// Adds the hold `event`, which the release `next` has ended: in place of the last event of the series, if the release belongs to
    /// it. Otherwise a series begins. Returns `false` if the present chunk is full, or in a handler that has interrupted an event.
    pub fn put_passed(&self, mut event: EventWords, next: &Passed) -> bool {
        let is_put = self.alone(|| {
            let (goes_on, last) = (self.series.goes_on(next), self.series.last.get());
            if goes_on {
                // Its beginning is not that of the holds that will take its place.
                event.0[0] = 0;
            }
            if goes_on && !last.is_null() {
                // SAFETY: Q2, and R1: it stays mapped. A reader that sees words of both reads them again, since this is the last event.
                event.store(unsafe { &*last });
            } else {
                let Some((_, record)) = self.put_alone(event) else {
                    return false;
                };
                if goes_on {
                    self.series.last.set(from_ref(record));
                }
            }
            self.series.set(next);
            true
        });
        is_put.unwrap_or(false)
    }
}

#[cfg(test)]
mod tests;
