//! Locks in the child of a fork.

use crate::RawLock;

/// A lock that can still be used in the child of a fork(2).
///
/// The child has a copy of the lock's memory and one of its parent's threads. Threads that waited, spun or were about to
/// be woken do not exist there, but the lock's words still refer to them.
pub trait ForkLock: RawLock {
    /// Forgets all waiters: the lock is then free, or held without waiters, as it was.
    ///
    /// A lock that another thread held at the fork stays held for ever, as POSIX says of a mutex (fork(2)). A lock of
    /// tickets or of a queue that had been handed to a waiter which had not yet noticed counts as held by that waiter.
    ///
    /// Called in the child, before any thread of it uses the lock. May be called again, and after a call that was cut off by
    /// another fork.
    fn forget_waiters(&self);
}
