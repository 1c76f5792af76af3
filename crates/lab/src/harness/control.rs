//! Starting threads, asking them to change turns, and stopping them.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The value of the turn that means stop.
const STOP: u32 = u32::MAX;

/// The turn before the timed stretch: threads are at work, but their operations do not count yet. The first of many threads may
/// do thousands of operations before the others have started.
const LEAD_IN: u32 = 0;

/// The word that every round of the loop reads, alone on its cache lines.
///
/// Relaxed everywhere: the word carries no data, and the threads' results are handed over by joining or by the mutex around the
/// number of finished ones.
#[repr(align(128))]
pub(super) struct Control {
    turn: AtomicU32,
    finished: Finished,
}

/// Threads that have left the loop, on separate cache lines from the turn.
#[repr(align(128))]
struct Finished {
    count: Mutex<u32>,
    changed: Condvar,
}

impl Control {
    /// Makes the control of a slice that begins with a lead-in, or directly with the timed stretch.
    pub(super) fn new(lead_in: bool) -> Self {
        Self {
            turn: AtomicU32::new(if lead_in { LEAD_IN } else { LEAD_IN + 1 }),
            finished: Finished {
                count: Mutex::new(0),
                changed: Condvar::new(),
            },
        }
    }

    /// Returns the current turn; a thread continues while it stays the same.
    #[inline]
    pub(super) fn turn(&self) -> u32 {
        self.turn.load(Relaxed)
    }

    /// Returns whether a turn means the end.
    pub(super) fn is_stop(turn: u32) -> bool {
        turn == STOP
    }

    /// Returns whether the operations in a turn do not count yet.
    pub(super) fn is_lead_in(turn: u32) -> bool {
        turn == LEAD_IN
    }

    /// Ends the lead-in, and makes the threads that hold a slot of the gate give it up.
    pub(super) fn next_turn(&self) {
        // Never back to the lead-in: with turns of 10 ms, reaching it again would take a year.
        self.turn.store((self.turn() + 1) % STOP, Relaxed);
    }

    /// Ends the slice.
    pub(super) fn stop(&self) {
        self.turn.store(STOP, Relaxed);
    }

    /// Called by a thread once it no longer touches anything shared.
    pub(super) fn finish(&self) {
        *self.lock_count() += 1;
        self.finished.changed.notify_all();
    }

    /// Waits until `threads` have finished or `limit` has passed; returns how many are missing.
    pub(super) fn await_finished(&self, threads: u32, limit: Duration) -> u32 {
        let deadline = Instant::now() + limit;
        let mut count = self.lock_count();
        while *count < threads {
            let Some(left) = deadline.checked_duration_since(Instant::now()) else {
                break;
            };
            count = match self.finished.changed.wait_timeout(count, left) {
                Ok((count, _)) => count,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
        threads - *count
    }

    fn lock_count(&self) -> std::sync::MutexGuard<'_, u32> {
        // A panicking worker leaves the number intact.
        self.finished
            .count
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lead_in_is_the_first_turn_only_and_rounds_have_none() {
        let timed = Control::new(true);
        assert!(Control::is_lead_in(timed.turn()));
        timed.next_turn();
        assert!(!Control::is_lead_in(timed.turn()));
        timed.stop();
        assert!(Control::is_stop(timed.turn()) && !Control::is_lead_in(timed.turn()));
        assert!(!Control::is_lead_in(Control::new(false).turn()));
    }
}
