//! Leaving the lock, and calling the threads that may enter afterwards.

use super::RwPark;
use super::state::{READERS_PARKED, WRITERS_PARKED, is_free};
use crate::sync::{Ordering, planted};

impl RwPark {
    /// Takes one holder off the state: `1` for a reader, or `WRITER`.
    #[inline]
    pub(super) fn leave(&self, holder: u64) {
        // Relaxed: a hint for the exchange.
        let mut state = self.state().load(Ordering::Relaxed);
        while self.due(state - holder) == 0 || planted("leaves without calling") {
            // Release: threads that come after it see what the holder did (I1).
            match self.exchange(state, state - holder, Ordering::Release) {
                Ok(()) => return,
                Err(now) => state = now,
            }
        }
        self.leave_and_call(holder);
    }

    #[cold]
    fn leave_and_call(&self, holder: u64) {
        let mut called = 0;
        // Relaxed: a hint for the exchanges.
        let mut state = self.state().load(Ordering::Relaxed);
        loop {
            let left = state - holder;
            let due = self.due(left);
            let step = if due == 0 {
                // Release: as in `leave`.
                self.exchange(state, left, Ordering::Release)
            } else {
                self.call(state, due).map(|()| called |= due)
            };
            match step {
                Ok(()) if due == 0 => break,
                Ok(()) => state &= !due,
                Err(now) => state = now,
            }
        }
        // From here on only addresses are used (I5).
        if planted("looks again after it has left") {
            self.state().load(Ordering::Relaxed);
        }
        self.wake(called);
    }

    /// Returns the marks of the threads that a state lets in.
    #[inline]
    pub(super) fn due(&self, state: u64) -> u64 {
        let readers = if self.shuts_readers_out(state) {
            0
        } else {
            READERS_PARKED
        };
        let writers = if is_free(state) { WRITERS_PARKED } else { 0 };
        state & (readers | writers)
    }

    /// Takes marks off the state, which creates the duty to wake, and then counts a call for each. `Err` is the present state.
    pub(super) fn call(&self, state: u64, marks: u64) -> Result<(), u64> {
        // Relaxed: marks and calls pass on no data.
        self.exchange(state, state & !marks, Ordering::Relaxed)?;
        if planted("counts no call") {
            return Ok(());
        }
        // Release, both: a thread that reads this count sets its mark after the exchange above, and so is found (I2).
        if marks & READERS_PARKED != 0 {
            self.reader_calls.fetch_add(1, Ordering::Release);
        }
        if marks & WRITERS_PARKED != 0 {
            self.writer_calls.fetch_add(1, Ordering::Release);
        }
        Ok(())
    }

    /// Wakes the threads whose marks have been removed.
    pub(super) fn wake(&self, marks: u64) {
        if marks & READERS_PARKED != 0 {
            self.reader_calls.wake_all();
        }
        if marks & WRITERS_PARKED != 0 {
            self.writer_calls.wake_one();
        }
    }
}
