//! The trait of mutual-exclusion locks.

use crate::Waiter;

/// A lock without data: at most one thread is between `lock` and `unlock`.
///
/// This is the small interface for code that is generic over locks. Programs use a mutex with data: `tollgate::Mutex<T>`, or
/// `lock_api::Mutex<Ticket, T>` with a lock of `locktoll-locks`.
///
/// Right after a release, another thread may destroy the lock, if the program itself knows that no thread needs it any longer
/// (as POSIX allows for a mutex). So an implementation does not touch its memory after the step that admits another thread, except
/// that a parking lock may still use the address for a wake. In safe Rust, the borrowing rules ensure this anyway.
///
/// # Safety
///
/// At most one thread holds the lock. The next holder sees everything that a holder did before `unlock`. Any thread may call
/// `unlock` on the holder's behalf.
///
/// # Panics
///
/// Locks made of kernel objects panic, without having acquired anything, if the kernel refuses to
/// create the object at the first use. Nothing else panics.
pub unsafe trait RawLock: Send + Sync + Sized {
    /// Creates a free lock with the default settings.
    fn new() -> Self;

    /// Waits until the lock is acquired.
    fn lock(&self);

    /// Acquires the lock if this needs no waiting. Returns `true` if acquired.
    #[must_use = "if it returns true, the lock must be released"]
    fn try_lock(&self) -> bool;

    /// Releases the lock.
    ///
    /// # Safety
    ///
    /// The lock is held, and the caller gives up the holder's rights by this call.
    unsafe fn unlock(&self);

    /// Whether a thread held the lock a moment ago.
    fn is_locked(&self) -> bool;

    /// Acquires the lock after `wait` has returned. In `wait`, the calling thread waits for a condition as `waiter`, without
    /// the lock. Returns the result of `wait`. A lock that has a queue can offer the waiter a place in it.
    ///
    /// # Safety
    /// The waiter is new, and only the calling thread uses it until `wait` makes it known.
    #[doc(hidden)]
    unsafe fn lock_after_wait(&self, waiter: &Waiter, wait: impl FnOnce() -> bool) -> bool {
        // By default, no place is offered.
        let _ = waiter;
        let signalled = wait();
        self.lock();
        signalled
    }
}
