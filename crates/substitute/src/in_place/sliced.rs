//! A lock whose holder requests a time slice extension.

use locktoll_locks::{Deadline, ForkLock, RawLock, TimedLock};

use super::room::InPlace;
use crate::slice_extension::{begin, end};

/// The lock `L`. Its holder requests a time slice extension, from its first acquisition of any such lock to its last release.
///
/// The request comes after the acquisition: a thread that waits is to be preempted as usual.
#[derive(Debug)]
#[repr(transparent)]
pub struct Sliced<L>(L);

// SAFETY: exclusion and visibility are `L`'s.
unsafe impl<L: InPlace> RawLock for Sliced<L> {
    fn new() -> Self {
        Self(L::new())
    }

    #[inline]
    fn lock(&self) {
        self.0.lock();
        begin();
    }

    #[inline]
    fn try_lock(&self) -> bool {
        let acquired = self.0.try_lock();
        if acquired {
            begin();
        }
        acquired
    }

    #[inline]
    unsafe fn unlock(&self) {
        // SAFETY: the caller's promise.
        unsafe { self.0.unlock() };
        end();
    }

    #[inline]
    fn is_locked(&self) -> bool {
        self.0.is_locked()
    }
}

// SAFETY: as above.
unsafe impl<L: InPlace> TimedLock for Sliced<L> {
    #[inline]
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        let acquired = self.0.try_lock_until(deadline);
        if acquired {
            begin();
        }
        acquired
    }
}

impl<L: InPlace> ForkLock for Sliced<L> {
    unsafe fn forget_waiters(&self) {
        // SAFETY: the caller's promise.
        unsafe { self.0.forget_waiters() };
    }
}

// SAFETY: `L` fits, and this is `L` in memory. `end` touches only the thread's own data, changes no `errno`, and calls nothing of
// the C library.
unsafe impl<L: InPlace> InPlace for Sliced<L> {
    const PLAIN_ONLY: bool = L::PLAIN_ONLY;

    fn prepare() {
        L::prepare();
    }

    fn with_parameter(parameter: u32) -> Self {
        Self(L::with_parameter(parameter))
    }
}
