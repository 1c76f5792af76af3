//! `--active K`: Hart's gate of 1998, a semaphore around each thread's loop.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Lets K threads run their loop at a time, first come, first served.
///
/// With a fixed number of rounds a thread keeps its slot for its whole loop, as in TimeMutex. With
/// a fixed time that would shut out all but the first K, so slots change hands at every turn
/// ([`super::control::Control::next_turn`]).
pub(super) struct Active {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    free: u32,
    queue: VecDeque<u32>,
    closed: bool,
}

impl Active {
    pub(super) fn new(slots: u32) -> Self {
        Self {
            state: Mutex::new(State {
                free: slots,
                queue: VecDeque::new(),
                closed: false,
            }),
            changed: Condvar::new(),
        }
    }

    /// Waits for a slot; false when the slice ended first.
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
                // The next in line may find a slot too.
                self.changed.notify_all();
                return true;
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives the slot back.
    pub(super) fn leave(&self) {
        self.lock().free += 1;
        self.changed.notify_all();
    }

    /// Sends everybody home.
    pub(super) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
