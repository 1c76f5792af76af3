//! Waiting for a lock until a deadline.

use crate::{Deadline, RawLock};

/// A lock that can be waited for until a deadline.
///
/// Three kinds of locks, three ways:
///
/// | locks | a timed wait |
/// |---|---|
/// | spin locks | is the usual one, with a look at the clock between the looks at the lock |
/// | futex locks | sleeps in the kernel until the deadline; a sleeper that withdraws takes itself off the lock's count, or takes the wake-up that is on its way and sees that nobody misses it |
/// | tickets and queues | never takes a place in the queue, which it could not leave: it tries the lock again and again, with short sleeps, and so may be overtaken by any number of others |
///
/// # Safety
///
/// As for [`RawLock`]: whoever gets `true` is the holder.
pub unsafe trait TimedLock: RawLock {
    /// Waits until the lock is acquired (`true`) or the deadline has passed. A free lock is acquired even after it.
    fn try_lock_until(&self, deadline: &Deadline) -> bool;
}

/// Looks at a lock until it is acquired or the deadline has passed; `wait` passes the time between two looks.
#[inline]
pub(crate) fn look_until<R: RawLock>(
    lock: &R,
    deadline: &Deadline,
    mut wait: impl FnMut(),
) -> bool {
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

/// Tries a lock whose queue cannot be left, with short sleeps, until it is acquired or the deadline has passed. Under other
/// threads that queue all the time, such a wait may end in vain where one in the queue would have succeeded.
#[inline]
pub fn try_with_naps<R: RawLock>(lock: &R, deadline: &Deadline) -> bool {
    let mut naps = crate::backoff::Naps::new();
    look_until(lock, deadline, || naps.take(deadline))
}
