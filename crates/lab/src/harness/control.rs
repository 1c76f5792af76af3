//! Starting threads, asking them to change turns, and stopping them.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The value of the turn that means: stop.
const STOP: u32 = u32::MAX;

/// The turn before the timed stretch: threads are at work, but what they do does not count yet.
/// The first of many threads may go through thousands of operations before the others are there.
const LEAD_IN: u32 = 0;

/// The word that every round of the loop reads, alone on its lines.
///
/// Relaxed everywhere: the word carries no data, and what threads found is handed over by joining
/// or by the mutex around the number of finished ones.
#[repr(align(128))]
pub(super) struct Control {
    turn: AtomicU32,
    finished: Finished,
}

/// Threads that have left the loop, on lines apart from the turn.
#[repr(align(128))]
struct Finished {
    count: Mutex<u32>,
    changed: Condvar,
}

impl Control {
    /// Threads begin with a lead-in, or with what counts.
    pub(super) fn new(lead_in: bool) -> Self {
        Self {
            turn: AtomicU32::new(if lead_in { LEAD_IN } else { LEAD_IN + 1 }),
            finished: Finished {
                count: Mutex::new(0),
                changed: Condvar::new(),
            },
        }
    }

    /// The present turn; a thread goes on while it stays the same.
    #[inline]
    pub(super) fn turn(&self) -> u32 {
        self.turn.load(Relaxed)
    }

    /// Whether a turn means the end.
    pub(super) fn is_stop(turn: u32) -> bool {
        turn == STOP
    }

    /// Whether what is done in a turn does not count yet.
    pub(super) fn is_lead_in(turn: u32) -> bool {
        turn == LEAD_IN
    }

    /// Ends the lead-in, and makes the threads that hold a slot of the gate pass it on.
    pub(super) fn next_turn(&self) {
        // Never back to the lead-in: at 10 ms a turn that would take a year.
        self.turn.store((self.turn() + 1) % STOP, Relaxed);
    }

    /// Ends the slice.
    pub(super) fn stop(&self) {
        self.turn.store(STOP, Relaxed);
    }

    /// Called by a thread once it touches nothing shared any more.
    pub(super) fn finish(&self) {
        *self.lock_count() += 1;
        self.finished.changed.notify_all();
    }

    /// Waits until `threads` have finished or `limit` is over; returns how many are missing.
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
        // A panicking worker leaves a plain number behind.
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
