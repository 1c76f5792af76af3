//! For tests: taking turns at the processors.
//!
//! Some tests judge threads by their behaviour within tens of milliseconds. Others keep every processor busy for longer than
//! that, with hundreds of threads that compute, or under `SCHED_FIFO`. The test harness runs tests in parallel, and tests of
//! the first kind would then fail although the code is right: with 68 threads on two processors, a thread may have to wait 100
//! ms for its turn. So both kinds take turns. Tests that need only a thread or two, and may be delayed, run at any time.

use std::sync::{Mutex, MutexGuard, PoisonError};

static TURN: Mutex<()> = Mutex::new(());

/// A turn: nobody else has one until it is dropped. Not to be taken twice by one thread.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    // A test that failed in its turn has left nothing behind that could be wrong.
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
