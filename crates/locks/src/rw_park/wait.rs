//! The paths of threads that have to wait.

use super::state::{READERS_PARKED, WAITING_WRITER, WRITER, WRITERS_PARKED, is_free, may_count};
use super::{NotAcquired, Preference, RwPark};
use crate::Deadline;
use crate::backoff::Patience;
use crate::sync::{Ordering, planted};

impl RwPark {
    /// Lets a reader that has counted itself wait for the writer inside. `before` is the state before it was counted.
    #[cold]
    pub(super) fn wait_counted(
        &self,
        before: u64,
        deadline: Option<&Deadline>,
    ) -> Result<(), NotAcquired> {
        if !may_count(before) {
            return match self.count_off() {
                // It was let in meanwhile, but it is one too many.
                Ok(()) => {
                    self.leave(1);
                    Err(NotAcquired::TooManyReaders)
                }
                Err(_) => Err(NotAcquired::TooManyReaders),
            };
        }
        let mut patience = Patience::new(self.waiting());
        loop {
            // Acquire: pairs with the release of the writer that this thread waits for; no other writer comes first (I1).
            let state = self.state().load(Ordering::Acquire);
            if state & WRITER == 0 {
                return Ok(());
            }
            if patience.wait() {
                continue;
            }
            if deadline.is_some_and(Deadline::has_passed) {
                return self.count_off();
            }
            // Acquire: this thread's mark is set after each clearing that this count has seen (I2).
            let calls = self.reader_calls.load(Ordering::Acquire);
            // Relaxed: it comes after the read of the count, by that load's acquire; no data.
            if self
                .exchange(state, state | READERS_PARKED, Ordering::Relaxed)
                .is_err()
            {
                continue;
            }
            self.reader_calls.wait_maybe_until(calls, deadline);
            patience = Patience::new(self.waiting());
        }
    }

    /// Ends the wait of a reader that is counted. Returns `Ok` if it is already inside.
    fn count_off(&self) -> Result<(), NotAcquired> {
        // Acquire: as in `wait_counted`.
        let mut state = self.state().load(Ordering::Acquire);
        while state & WRITER != 0 {
            // Relaxed: it has read nothing. Acquire on failure: as above.
            match self.state().compare_exchange(
                state,
                state - 1,
                Ordering::Relaxed,
                Ordering::Acquire,
            ) {
                Ok(_) => return Err(NotAcquired::TimedOut),
                Err(now) => state = now,
            }
        }
        Ok(())
    }

    /// Lets a reader wait until no writer is inside or waits.
    #[cold]
    pub(super) fn wait_uncounted(&self, deadline: Option<&Deadline>) -> Result<(), NotAcquired> {
        let mut patience = Patience::new(self.waiting());
        loop {
            match self.try_lock_shared_or_why() {
                Err(NotAcquired::Held) => {}
                otherwise => return otherwise,
            }
            if patience.wait() {
                continue;
            }
            if deadline.is_some_and(Deadline::has_passed) {
                return Err(NotAcquired::TimedOut);
            }
            // Acquire: this thread's mark is set after each clearing that this count has seen (I2).
            let calls = self.reader_calls.load(Ordering::Acquire);
            // Relaxed: a hint for the exchange.
            let state = self.state().load(Ordering::Relaxed);
            if !self.shuts_readers_out(state) {
                continue;
            }
            // Relaxed: it comes after the read of the count, by that load's acquire; no data.
            if self
                .exchange(state, state | READERS_PARKED, Ordering::Relaxed)
                .is_err()
            {
                continue;
            }
            self.reader_calls.wait_maybe_until(calls, deadline);
            patience = Patience::new(self.waiting());
        }
    }

    /// Lets a writer wait until nobody is inside.
    #[cold]
    pub(super) fn wait_to_write(&self, deadline: Option<&Deadline>) -> Result<(), NotAcquired> {
        let announced = match self.preference {
            Preference::Readers => 0,
            Preference::Writers => {
                // Relaxed: it shuts readers out and passes on no data.
                self.state().fetch_add(WAITING_WRITER, Ordering::Relaxed);
                WAITING_WRITER
            }
        };
        let mut patience = Patience::new(self.waiting());
        // WRITERS_PARKED once this thread has slept (I3).
        let mut others = 0;
        loop {
            // Relaxed: a hint for the exchanges.
            let state = self.state().load(Ordering::Relaxed);
            if is_free(state) {
                let taken = (state | WRITER | others) - announced;
                // Acquire: pairs with the release of all previous holders (I1).
                if self.exchange(state, taken, Ordering::Acquire).is_ok() {
                    return Ok(());
                }
                continue;
            }
            if patience.wait() {
                continue;
            }
            if deadline.is_some_and(Deadline::has_passed) {
                return self.give_up_writing(announced);
            }
            // Acquire: this thread's mark is set after each clearing that this count has seen (I2).
            let calls = self.writer_calls.load(Ordering::Acquire);
            // Relaxed: it comes after the read of the count, by that load's acquire; no data.
            if self
                .exchange(state, state | WRITERS_PARKED, Ordering::Relaxed)
                .is_err()
            {
                continue;
            }
            self.writer_calls.wait_maybe_until(calls, deadline);
            patience = Patience::new(self.waiting());
            if !planted("forgets that others may sleep") {
                others = WRITERS_PARKED;
            }
        }
    }

    /// Ends the wait of a writer whose time is up. If the lock is free, the writer takes it, since it may have been called;
    /// otherwise it stops waiting, which may let readers in.
    fn give_up_writing(&self, announced: u64) -> Result<(), NotAcquired> {
        let mut called = 0;
        // Relaxed: a hint for the exchanges.
        let mut state = self.state().load(Ordering::Relaxed);
        let result = loop {
            let left = (state | WRITERS_PARKED) - announced;
            let due = self.due(left);
            let (step, result) = if is_free(state) {
                // Acquire: pairs with the release of all previous holders (I1).
                let step = self.exchange(state, left | WRITER, Ordering::Acquire);
                (step, Some(Ok(())))
            } else if due == 0 || planted("gives up without calling") {
                // Relaxed: it has neither read nor written anything.
                let step = self.exchange(state, left, Ordering::Relaxed);
                (step, Some(Err(NotAcquired::TimedOut)))
            } else {
                (self.call(state, due).map(|()| called |= due), None)
            };
            match (step, result) {
                (Ok(()), Some(result)) => break result,
                (Ok(()), None) => state &= !due,
                (Err(now), _) => state = now,
            }
        };
        self.wake(called);
        result
    }
}
