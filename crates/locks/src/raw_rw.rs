//! The trait of the reader-writer locks, and its implementation of `lock_api`.

/// A reader-writer lock without data.
///
/// The counterpart of [`RawLock`](crate::RawLock) for harnesses that are generic over locks;
/// programs use [`lock_api::RwLock`].
///
/// Unlike a [`RawLock`](crate::RawLock), such a lock may still be touched by the thread that has just released it: free its
/// memory only when no other thread can be in a call on it.
///
/// # Safety
///
/// While an exclusive holder is inside, no other holder is. All later holders see the writes of an exclusive holder, and the
/// reads of shared holders come before the writes of a later exclusive holder.
pub unsafe trait RawRw: Send + Sync + Sized {
    /// Creates a free lock with the default settings.
    fn new() -> Self;

    /// Waits until the lock is acquired for reading.
    fn lock_shared(&self);

    /// Acquires the lock for reading if this needs no waiting.
    fn try_lock_shared(&self) -> bool;

    /// Releases one shared acquisition.
    ///
    /// # Safety
    ///
    /// The caller has acquired it, and gives it up by this call.
    unsafe fn unlock_shared(&self);

    /// Waits until the lock is acquired for writing.
    fn lock_exclusive(&self);

    /// Acquires the lock for writing if this needs no waiting.
    fn try_lock_exclusive(&self) -> bool;

    /// Releases the exclusive acquisition.
    ///
    /// # Safety
    ///
    /// The caller has acquired it, and gives it up by this call.
    unsafe fn unlock_exclusive(&self);

    /// Whether a thread was inside a moment ago.
    fn is_locked(&self) -> bool;

    /// Whether a writer was inside (or the next to enter) a moment ago.
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
