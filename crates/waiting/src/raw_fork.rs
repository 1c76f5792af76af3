//! Locks in the child of a fork.

use crate::RawLock;

/// A lock that can still be used in the child of a fork(2).
///
/// The child has a copy of the lock's memory, and only one of its parent's threads. Threads that waited, spun or were about to
/// be woken do not exist there, but the lock's words still refer to them.
pub trait ForkLock: RawLock {
    /// Forgets all waiters: the lock then stays free or held, but without waiters.
    ///
    /// A lock that another thread held at the fork stays held forever, as POSIX specifies for a mutex (fork(2)). A ticket or
    /// queue lock that had been handed to a waiter that had not yet noticed counts as held by that waiter.
    ///
    /// It may be called again, even after a call that was interrupted by another fork.
    ///
    /// # Safety
    /// The caller is the only thread that uses the lock: the only thread of the child of a fork, before it uses the lock.
    unsafe fn forget_waiters(&self);
}
