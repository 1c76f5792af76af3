//! `pthread_rwlock_t`.
//!
//! # Invariants
//!
//! - **W1** `raw` was initialised by `pthread_rwlock_init` and not used before it reached its place.
//! - **W2** A [`Held`] exists only on the thread that locked, once for each lock.

use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

use super::super::visit::{Listing, Visitor};
use super::super::{Contender, CreateError, Family, LockOptions};
use super::check;

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<RwLock>(
        Listing::new(
            "pthread-rwlock",
            Family::Pthread,
            "pthread_rwlock, default attributes: glibc lets readers pass waiting writers",
        )
        .knobs(&["shared"]),
    );
}

/// A `pthread_rwlock_t` with default attributes.
struct RwLock {
    raw: UnsafeCell<libc::pthread_rwlock_t>,
}

// SAFETY: made for use by several threads; moved only before its first use (W1).
unsafe impl Send for RwLock {}
// SAFETY: as above.
unsafe impl Sync for RwLock {}

/// One acquisition, shared or exclusive: both are released by the same call.
struct Held<'a> {
    lock: &'a RwLock,
    /// The thread that locked must unlock (W2).
    not_send: PhantomData<*const ()>,
}

impl Drop for Held<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: W1, W2.
        let code = unsafe { libc::pthread_rwlock_unlock(self.lock.raw.get()) };
        debug_assert_eq!(code, 0, "pthread_rwlock_unlock");
    }
}

impl RwLock {
    #[inline(always)]
    fn held(&self) -> Held<'_> {
        Held {
            lock: self,
            not_send: PhantomData,
        }
    }
}

impl Drop for RwLock {
    fn drop(&mut self) {
        // SAFETY: W1; no thread holds it, since a `Held` would borrow it.
        unsafe { libc::pthread_rwlock_destroy(self.raw.get()) };
    }
}

impl Contender for RwLock {
    type Held<'a> = Held<'a>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        let mut raw = MaybeUninit::uninit();
        // SAFETY: `init` initialises the object it is given, with default attributes.
        unsafe {
            let code = libc::pthread_rwlock_init(raw.as_mut_ptr(), std::ptr::null());
            check("pthread_rwlock_init", code)?;
            Ok(Self {
                raw: UnsafeCell::new(raw.assume_init()),
            })
        }
    }

    #[inline(always)]
    fn acquire(&self) -> Held<'_> {
        // SAFETY: W1.
        let code = unsafe { libc::pthread_rwlock_wrlock(self.raw.get()) };
        debug_assert_eq!(code, 0, "pthread_rwlock_wrlock");
        self.held()
    }

    #[inline(always)]
    fn read<R>(&self, mut body: impl FnMut() -> R) -> R {
        // SAFETY: W1.
        let code = unsafe { libc::pthread_rwlock_rdlock(self.raw.get()) };
        debug_assert_eq!(code, 0, "pthread_rwlock_rdlock");
        let _shared = self.held();
        body()
    }
}
