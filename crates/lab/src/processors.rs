//! For tests: turns at the processors.
//!
//! Some tests judge what threads do within tens of milliseconds. Others keep every processor busy for longer than that: with
//! threads by the hundred that compute, or under `SCHED_FIFO`. The test harness runs tests side by side, where the first then
//! fail through no fault of what they test: of 68 threads on two processors each may have to wait 100 ms for its turn. So both
//! kinds take turns. Tests that ask for no more than a thread or two, and do not mind to wait, run at any time.

use std::sync::{Mutex, MutexGuard, PoisonError};

static TURN: Mutex<()> = Mutex::new(());

/// A turn: nobody else has one until it is dropped. Not to be taken twice by one thread.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    // A test that failed in its turn has left nothing behind that could be wrong.
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
