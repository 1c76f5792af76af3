//! `--active K`: Hart's gate of 1998, a semaphore around each thread's loop.
//!
//! Every thread waits on its own condition variable: a slot that changes hands wakes only the thread that gets it. A common
//! condition variable would wake all queued threads, in the middle of the measurement.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Lets K threads run their loop at a time, first come, first served.
///
/// With a fixed number of rounds, a thread keeps its slot for its whole loop, as in TimeMutex. With a fixed time, that would shut
/// out all but the first K threads, so slots change hands at every turn ([`super::control::Control::next_turn`]).
pub(super) struct Active {
    state: Mutex<State>,
    /// One for each thread, all used with the same mutex.
    turns: Box<[Condvar]>,
}

struct State {
    free: u32,
    queue: VecDeque<u32>,
    closed: bool,
}

impl Active {
    /// Makes a gate for threads 0 to `threads - 1`.
    pub(super) fn new(slots: u32, threads: u32) -> Self {
        Self {
            state: Mutex::new(State {
                free: slots,
                queue: VecDeque::new(),
                closed: false,
            }),
            turns: (0..threads).map(|_| Condvar::new()).collect(),
        }
    }

    /// Waits for a slot; returns false if the slice ended first.
    pub(super) fn enter(&self, thread: u32) -> bool {
        let mut state = self.lock();
        state.queue.push_back(thread);
        loop {
            if state.closed {
                return false;
            }
            if state.free > 0 && state.queue.front() == Some(&thread) {
                state.queue.pop_front();
                state.free -= 1;
                // There may be a slot for the next in line as well.
                self.call_next(&state);
                return true;
            }
            state = self.turns[thread as usize]
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives the slot back.
    pub(super) fn leave(&self) {
        let mut state = self.lock();
        state.free += 1;
        self.call_next(&state);
    }

    /// Wakes the first in line if there is a slot for it.
    fn call_next(&self, state: &State) {
        if let Some(first) = state.queue.front()
            && state.free > 0
        {
            self.turns[*first as usize].notify_one();
        }
    }

    /// Closes the gate and wakes all threads in line, which then leave.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.turns.iter().for_each(Condvar::notify_all);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::thread::{scope, yield_now};
    use std::time::{Duration, Instant};

    use super::*;

    fn wait_until_queued(gate: &Active, threads: usize) {
        // Only for a broken gate: no thread may stay in line when the test fails.
        let deadline = Instant::now() + Duration::from_secs(60);
        while gate.lock().queue.len() < threads {
            if Instant::now() > deadline {
                gate.close();
                panic!("never were {threads} in line");
            }
            yield_now();
        }
    }

    #[test]
    fn slots_go_round_in_the_order_of_coming() {
        const ROUNDS: usize = 3;
        let gate = Active::new(1, 4);
        let inside = Mutex::new(Vec::new());
        assert!(gate.enter(0));
        let gate = &gate;
        let stay = |round, thread| {
            inside.lock().unwrap().push(thread);
            if round < ROUNDS {
                // Wait until all other threads are in line again, so that the order of arrival is known.
                wait_until_queued(gate, 3);
            }
        };
        scope(|scope| {
            for thread in 1..4 {
                let stay = &stay;
                scope.spawn(move || {
                    for round in 1..=ROUNDS {
                        assert!(gate.enter(thread));
                        stay(round, thread);
                        gate.leave();
                    }
                });
                wait_until_queued(gate, thread as usize);
            }
            for round in 1..=ROUNDS {
                gate.leave();
                assert!(gate.enter(0));
                stay(round, 0);
            }
            gate.leave();
        });
        assert_eq!(*inside.lock().unwrap(), [1, 2, 3, 0].repeat(ROUNDS));
    }

    #[test]
    fn as_many_as_there_are_slots_are_inside_and_closing_sends_the_rest_home() {
        let gate = &Active::new(2, 3);
        assert!(gate.enter(0) && gate.enter(1));
        scope(|scope| {
            let third = scope.spawn(move || gate.enter(2));
            wait_until_queued(gate, 1);
            gate.close();
            assert!(!third.join().unwrap());
        });
    }
}
