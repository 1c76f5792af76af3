//! `pthread_spinlock_t`.
//!
//! # Invariants
//!
//! - **S1** `raw` was initialised by `pthread_spin_init` and not used before it reached its place.
//! - **S2** A [`Held`] exists once for each `pthread_spin_lock` that returned.

use std::cell::UnsafeCell;
use std::marker::PhantomData;

use super::super::visit::{Listing, Visitor};
use super::super::{Contender, CreateError, Family, LockOptions};
use super::check;

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<SpinLock>(Listing::new(
        "pthread-spin",
        Family::Pthread,
        "pthread_spinlock: test-and-test-and-set, never parks or yields",
    ));
}

/// A process-private `pthread_spinlock_t`.
struct SpinLock {
    raw: UnsafeCell<libc::pthread_spinlock_t>,
}

// SAFETY: made for use by several threads; moved only before its first use (S1).
unsafe impl Send for SpinLock {}
// SAFETY: as above.
unsafe impl Sync for SpinLock {}

/// One acquisition.
struct Held<'a> {
    lock: &'a SpinLock,
    /// POSIX requires the locking thread to unlock.
    not_send: PhantomData<*const ()>,
}

impl Drop for Held<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: S1, S2.
        let code = unsafe { libc::pthread_spin_unlock(self.lock.raw.get()) };
        debug_assert_eq!(code, 0, "pthread_spin_unlock");
    }
}

impl Drop for SpinLock {
    fn drop(&mut self) {
        // SAFETY: S1; no thread holds it, since a `Held` would borrow it.
        unsafe { libc::pthread_spin_destroy(self.raw.get()) };
    }
}

impl Contender for SpinLock {
    type Held<'a> = Held<'a>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        let mut raw: libc::pthread_spinlock_t = 0;
        // SAFETY: `init` initialises the object it is given.
        let code = unsafe { libc::pthread_spin_init(&mut raw, libc::PTHREAD_PROCESS_PRIVATE) };
        check("pthread_spin_init", code)?;
        Ok(Self {
            raw: UnsafeCell::new(raw),
        })
    }

    #[inline(always)]
    fn acquire(&self) -> Held<'_> {
        // SAFETY: S1.
        let code = unsafe { libc::pthread_spin_lock(self.raw.get()) };
        debug_assert_eq!(code, 0, "pthread_spin_lock");
        Held {
            lock: self,
            not_send: PhantomData,
        }
    }
}
