//! Locks in the child of a fork.

use crate::RawLock;

/// A lock that can go on in the child of a fork(2).
///
/// The child has a copy of the lock's memory and one of its parent's threads. Whoever waited, spun or was about to be
/// woken is not there, but the lock's words still speak of them.
pub trait ForkLock: RawLock {
    /// Forgets all waiters: the lock is then free, or held with nobody waiting, as it was.
    ///
    /// What another thread held at the fork stays held for ever, as POSIX has it for a mutex (fork(2)). That a lock of
    /// tickets or of a queue had been handed to a waiter who had not yet noticed counts as held by that waiter.
    ///
    /// Called in the child, before any thread of it uses the lock. May be called again, and after a call that was cut off by
    /// another fork.
    fn forget_waiters(&self);
}
