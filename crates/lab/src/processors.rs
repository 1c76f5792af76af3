//! For tests: taking turns with the processors.
//!
//! Some tests judge threads by their behaviour within tens of milliseconds. Others keep every processor busy for longer than
//! that, with hundreds of threads that compute, or under `SCHED_FIFO`. The test harness runs tests in parallel, so tests of the
//! first kind would then fail although the code is right: with 68 threads on two processors, a thread may have to wait 100 ms for
//! its turn. So both kinds take turns. Tests that need only one or two threads, and may be delayed, run at any time.

use std::sync::{Mutex, MutexGuard, PoisonError};

static TURN: Mutex<()> = Mutex::new(());

/// Takes a turn: no other test has one until the guard is dropped. One thread must not take it twice.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    // A test that failed during its turn has left no wrong state behind.
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
