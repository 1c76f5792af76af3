//! The implementation of `lock_api` for the locks here.

/// Implements `lock_api`'s trait for a lock with a constant `new`.
///
/// Not under loom: the trait requires a constant, and loom's atomics cannot be part of one.
macro_rules! impl_raw_mutex {
    (@generics [$($generics:tt)*] $lock:ty, $init:expr) => {
        impl <$($generics)*> Default for $lock {
            fn default() -> Self {
                locktoll_waiting::RawLock::new()
            }
        }

        #[cfg(not(locktoll_loom))]
        // SAFETY: `RawLock` promises the same as `lock_api::RawMutex`: one holder at a time,
        // acquire on lock, release on unlock, unlock from any thread.
        unsafe impl <$($generics)*> lock_api::RawMutex for $lock {
            const INIT: Self = $init;
            type Guard = lock_api::GuardSend;

            #[inline]
            fn lock(&self) -> Self::Guard {
                locktoll_waiting::RawLock::lock(self);
                lock_api::GuardSend::new()
            }

            #[inline]
            fn try_lock(&self) -> Option<Self::Guard> {
                locktoll_waiting::RawLock::try_lock(self).then(lock_api::GuardSend::new)
            }

            #[inline]
            unsafe fn unlock(&self, _guard: Self::Guard) {
                // SAFETY: the guard proves that the lock is held, and is consumed here.
                unsafe { locktoll_waiting::RawLock::unlock(self) }
            }

            #[inline]
            fn is_locked(&self) -> bool {
                locktoll_waiting::RawLock::is_locked(self)
            }
        }
    };
    ($lock:ty) => {
        $crate::raw::impl_raw_mutex!(@generics [] $lock, <$lock>::new());
    };
}
pub(crate) use impl_raw_mutex;
