//! The traits of the crate `lock_api`.

#[cfg(feature = "std")]
use core::time::Duration;
#[cfg(feature = "std")]
use std::time::Instant;

use lock_api::GuardSend;

use crate::RawMutex;

// SAFETY: I1 of `raw_mutex`: one holder at a time, acquire on lock and release on unlock, by any thread.
unsafe impl lock_api::RawMutex for RawMutex {
    const INIT: Self = Self::new();
    type Guard = GuardSend;

    #[inline]
    fn lock(&self) -> GuardSend {
        Self::lock(self);
        GuardSend::new()
    }

    #[inline]
    fn try_lock(&self) -> Option<GuardSend> {
        Self::try_lock(self).then(GuardSend::new)
    }

    #[inline]
    unsafe fn unlock(&self, _guard: GuardSend) {
        // SAFETY: the guard proves that the lock is held, and is consumed here.
        unsafe { Self::unlock(self) };
    }

    #[inline]
    fn is_locked(&self) -> bool {
        Self::is_locked(self)
    }
}

// SAFETY: as above.
unsafe impl lock_api::RawMutexFair for RawMutex {
    unsafe fn unlock_fair(&self, _guard: GuardSend) {
        // SAFETY: as above.
        unsafe { Self::unlock_fair(self) };
    }

    unsafe fn bump(&self, _guard: &mut GuardSend) {
        if self.has_sleepers() {
            // SAFETY: as above; the guard has no state, and the lock is acquired again.
            unsafe { Self::unlock_fair(self) };
            Self::lock(self);
        }
    }
}

#[cfg(feature = "std")]
// SAFETY: as above.
unsafe impl lock_api::RawMutexTimed for RawMutex {
    type Duration = Duration;
    type Instant = Instant;

    fn try_lock_for(&self, length: Duration) -> Option<GuardSend> {
        Self::try_lock_for(self, length).then(GuardSend::new)
    }

    fn try_lock_until(&self, moment: Instant) -> Option<GuardSend> {
        Self::try_lock_until(self, moment).then(GuardSend::new)
    }
}
