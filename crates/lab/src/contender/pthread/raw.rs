//! The default mutex as a `RawLock`, so that a gate of `locktoll-locks` fits around it.

use locktoll_locks::RawLock;

use super::super::ours::{Gated, Raw, of};
use super::super::visit::Visitor;
use super::{Mutex, Normal};

/// Visits the gate around it, listed with our other locks around locks.
pub(in super::super) fn visit_gated(visitor: &mut impl Visitor) {
    visitor.lock::<Raw<Gated<Mutex<Normal>>>>(of("gate", &["gate"]));
}

// SAFETY: a mutex of the default kind excludes other threads, and its lock and unlock synchronise memory (POSIX XBD 4.15.2).
// Neither glibc nor musl records an owner for this kind, so an unlock on another thread would also work, though no contender does
// that.
unsafe impl RawLock for Mutex<Normal> {
    fn new() -> Self {
        // `pthread_mutex_init` can fail only for the kinds that need a resource from the kernel.
        Mutex::new().expect("a mutex of the default kind needs no resources")
    }

    #[inline(always)]
    fn lock(&self) {
        Mutex::lock(self);
    }

    #[inline(always)]
    fn try_lock(&self) -> bool {
        Mutex::try_lock(self)
    }

    #[inline(always)]
    unsafe fn unlock(&self) {
        // SAFETY: the caller's promise is the same.
        unsafe { Mutex::unlock(self) }
    }

    fn is_locked(&self) -> bool {
        let was_free = Mutex::try_lock(self);
        if was_free {
            // SAFETY: just acquired.
            unsafe { Mutex::unlock(self) }
        }
        !was_free
    }
}
