//! Waiting for a lock until a deadline.

use crate::{Deadline, RawLock};

/// A lock with a wait that ends at a deadline.
///
/// There are three kinds of locks, which wait in three ways:
///
/// | locks | a timed wait |
/// |---|---|
/// | spin locks | is the usual wait, and reads the clock between checks of the lock |
/// | futex locks | sleeps in the kernel until the deadline; a sleeper that withdraws takes itself off the lock's count, or takes the wake-up that is on its way, and ensures that it is not lost |
/// | tickets and queues | never queues, since it could not leave the queue: it tries the lock again and again, with short sleeps, so any number of others may overtake it |
///
/// # Safety
///
/// As for [`RawLock`]: a thread that gets `true` is the holder.
pub unsafe trait TimedLock: RawLock {
    /// Waits until the lock is acquired (`true`) or the deadline has passed. A free lock is acquired even after the deadline.
    fn try_lock_until(&self, deadline: &Deadline) -> bool;
}

/// Checks a lock until it is acquired or the deadline has passed. `wait` passes the time between two checks.
#[inline]
pub fn look_until<R: RawLock>(lock: &R, deadline: &Deadline, mut wait: impl FnMut()) -> bool {
    loop {
        if lock.try_lock() {
            return true;
        }
        if deadline.has_passed() {
            return false;
        }
        wait();
    }
}

/// Tries a lock whose queue cannot be left, with short sleeps, until it is acquired or the deadline has passed. If other
/// threads queue all the time, such a wait may fail where a wait in the queue would have succeeded.
#[inline]
pub fn try_with_naps<R: RawLock>(lock: &R, deadline: &Deadline) -> bool {
    let mut naps = crate::backoff::Naps::new();
    look_until(lock, deadline, || naps.take(deadline))
}
