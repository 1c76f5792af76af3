//! The trait of the reader-writer locks, and its implementation of `lock_api`.

/// A reader-writer lock without data.
///
/// The counterpart of [`RawLock`](crate::RawLock) for harnesses that are generic over locks;
/// programs use [`lock_api::RwLock`].
///
/// Unlike a [`RawLock`](crate::RawLock), such a lock may still be touched by the thread that has just released it: free its
/// memory only when no other thread can be in a call on it.
///
/// ```
/// use locktoll_locks::{RawRw, RwFair, RwReader};
///
/// fn read_with<L: RawRw, T>(lock: &L, read: impl FnOnce() -> T) -> T {
///     lock.lock_shared();
///     let result = read();
///     // SAFETY: acquired above.
///     unsafe { lock.unlock_shared() };
///     result
/// }
/// assert_eq!(read_with(&RwFair::new(), || 1), 1);
/// assert_eq!(read_with(&RwReader::new(), || 2), 2);
/// ```
///
/// # Safety
///
/// While an exclusive holder is inside, no other holder is. All later holders see the writes of an exclusive holder, and the
/// reads of shared holders come before the writes of a later exclusive holder.
pub unsafe trait RawRw: Send + Sync + Sized {
    /// Creates a free lock with the default settings.
    ///
    /// ```
    /// use locktoll_locks::{RawRw, RwFair};
    ///
    /// struct Shared<L> {
    ///     lock: L,
    /// }
    /// fn shared<L: RawRw>() -> Shared<L> {
    ///     Shared { lock: L::new() }
    /// }
    /// assert!(!shared::<RwFair>().lock.is_locked());
    /// ```
    fn new() -> Self;

    /// Waits until the lock is acquired for reading.
    ///
    /// ```
    /// use locktoll_locks::{RawRw, RwReader};
    ///
    /// let lock = RwReader::new();
    /// lock.lock_shared();
    /// assert!(lock.try_lock_shared(), "several threads may read at once");
    /// assert!(!lock.try_lock_exclusive());
    /// ```
    fn lock_shared(&self);

    /// Acquires the lock for reading if this needs no waiting.
    ///
    /// ```
    /// use locktoll_locks::{RawRw, RwFair};
    ///
    /// let lock = RwFair::new();
    /// lock.lock_exclusive();
    /// assert!(!lock.try_lock_shared(), "a writer is inside");
    /// ```
    fn try_lock_shared(&self) -> bool;

    /// Releases one shared acquisition.
    ///
    /// ```
    /// use locktoll_locks::{RawRw, RwReader};
    ///
    /// let lock = RwReader::new();
    /// lock.lock_shared();
    /// lock.lock_shared();
    /// // SAFETY: acquired above, twice.
    /// unsafe { lock.unlock_shared() };
    /// assert!(lock.is_locked(), "one reader is still inside");
    /// ```
    ///
    /// # Safety
    ///
    /// The caller has acquired it, and gives it up by this call.
    unsafe fn unlock_shared(&self);

    /// Waits until the lock is acquired for writing.
    ///
    /// ```
    /// use locktoll_locks::{RawRw, RwFair};
    ///
    /// static LOCK: RwFair = RwFair::new();
    /// LOCK.lock_exclusive();
    /// assert!(LOCK.is_locked_exclusive());
    /// // SAFETY: acquired above.
    /// unsafe { LOCK.unlock_exclusive() };
    /// ```
    fn lock_exclusive(&self);

    /// Acquires the lock for writing if this needs no waiting.
    ///
    /// ```
    /// use locktoll_locks::{RawRw, RwReader};
    ///
    /// let lock = RwReader::new();
    /// assert!(lock.try_lock_exclusive(), "free");
    /// assert!(!lock.try_lock_exclusive(), "held");
    /// ```
    fn try_lock_exclusive(&self) -> bool;

    /// Releases the exclusive acquisition.
    ///
    /// ```
    /// use locktoll_locks::{RawRw, RwReader};
    ///
    /// let lock = RwReader::new();
    /// lock.lock_exclusive();
    /// // SAFETY: acquired above.
    /// unsafe { lock.unlock_exclusive() };
    /// assert!(lock.try_lock_shared());
    /// ```
    ///
    /// # Safety
    ///
    /// The caller has acquired it, and gives it up by this call.
    unsafe fn unlock_exclusive(&self);

    /// Whether a thread was inside a moment ago.
    ///
    /// ```
    /// use locktoll_locks::{RawRw, RwFair};
    ///
    /// let lock = RwFair::new();
    /// assert!(!lock.is_locked());
    /// lock.lock_shared();
    /// assert!(lock.is_locked(), "by a reader");
    /// ```
    fn is_locked(&self) -> bool;

    /// Whether a writer was inside (or the next to enter) a moment ago.
    ///
    /// ```
    /// use locktoll_locks::{RawRw, RwFair};
    ///
    /// let lock = RwFair::new();
    /// lock.lock_shared();
    /// assert!(lock.is_locked() && !lock.is_locked_exclusive());
    /// ```
    fn is_locked_exclusive(&self) -> bool;
}

/// Implements `lock_api`'s trait for a reader-writer lock with a constant `new`; not under loom.
macro_rules! impl_raw_rwlock {
    ($lock:ty) => {
        impl Default for $lock {
            fn default() -> Self {
                Self::new()
            }
        }

        #[cfg(not(locktoll_loom))]
        // SAFETY: `RawRw` promises the same as `lock_api::RawRwLock`.
        unsafe impl lock_api::RawRwLock for $lock {
            const INIT: Self = <$lock>::new();
            type SharedGuard = lock_api::GuardSend;
            type ExclusiveGuard = lock_api::GuardSend;

            #[inline]
            fn lock_shared(&self) -> Self::SharedGuard {
                $crate::RawRw::lock_shared(self);
                lock_api::GuardSend::new()
            }

            #[inline]
            fn try_lock_shared(&self) -> Option<Self::SharedGuard> {
                $crate::RawRw::try_lock_shared(self).then(lock_api::GuardSend::new)
            }

            #[inline]
            unsafe fn unlock_shared(&self, _guard: Self::SharedGuard) {
                // SAFETY: the guard proves a shared acquisition, and is consumed here.
                unsafe { $crate::RawRw::unlock_shared(self) }
            }

            #[inline]
            fn lock_exclusive(&self) -> Self::ExclusiveGuard {
                $crate::RawRw::lock_exclusive(self);
                lock_api::GuardSend::new()
            }

            #[inline]
            fn try_lock_exclusive(&self) -> Option<Self::ExclusiveGuard> {
                $crate::RawRw::try_lock_exclusive(self).then(lock_api::GuardSend::new)
            }

            #[inline]
            unsafe fn unlock_exclusive(&self, _guard: Self::ExclusiveGuard) {
                // SAFETY: the guard proves the exclusive acquisition, and is consumed here.
                unsafe { $crate::RawRw::unlock_exclusive(self) }
            }

            #[inline]
            fn is_locked(&self) -> bool {
                $crate::RawRw::is_locked(self)
            }

            #[inline]
            fn is_locked_exclusive(&self) -> bool {
                $crate::RawRw::is_locked_exclusive(self)
            }
        }
    };
}
pub(crate) use impl_raw_rwlock;
