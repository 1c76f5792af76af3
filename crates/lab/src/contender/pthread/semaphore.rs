//! An unnamed POSIX semaphore of value one as a lock (sem_overview(7)).
//!
//! # Invariants
//!
//! - **M1** `raw` was initialised by `sem_init` and not used before it reached its place.
//! - **M2** A [`Held`] exists once for each `sem_wait` that took the value from one to zero.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;

use super::super::visit::{Listing, Visitor};
use super::super::{Contender, CreateError, Family, LockOptions};

pub(super) fn visit(visitor: &mut impl Visitor) {
    visitor.lock::<Semaphore>(Listing::new(
        "posix-sem",
        Family::Pthread,
        "sem_t of value one: a futex semaphore without an owner; anyone may post",
    ));
}

/// A process-private `sem_t`.
struct Semaphore {
    raw: UnsafeCell<libc::sem_t>,
}

// SAFETY: made for use by several threads; moved only before its first use (M1).
unsafe impl Send for Semaphore {}
// SAFETY: as above.
unsafe impl Sync for Semaphore {}

/// One acquisition.
struct Held<'a> {
    semaphore: &'a Semaphore,
}

impl Drop for Held<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: M1, M2. It fails only for a value that would overflow.
        let code = unsafe { libc::sem_post(self.semaphore.raw.get()) };
        debug_assert_eq!(code, 0, "sem_post");
    }
}

impl Drop for Semaphore {
    fn drop(&mut self) {
        // SAFETY: M1; no thread waits on it, since waiting borrows it.
        unsafe { libc::sem_destroy(self.raw.get()) };
    }
}

impl Contender for Semaphore {
    type Held<'a> = Held<'a>;

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        let mut raw = MaybeUninit::uninit();
        // SAFETY: `init` initialises the object it is given.
        unsafe {
            if libc::sem_init(raw.as_mut_ptr(), 0, 1) != 0 {
                return Err(CreateError {
                    what: "sem_init",
                    source: std::io::Error::last_os_error(),
                });
            }
            Ok(Self {
                raw: UnsafeCell::new(raw.assume_init()),
            })
        }
    }

    #[inline(always)]
    fn acquire(&self) -> Held<'_> {
        // Unlike the mutex, sem_wait gives up when a signal handler has run (EINTR), so its return value must be checked.
        // SAFETY: M1.
        while unsafe { libc::sem_wait(self.raw.get()) } != 0 {}
        Held { semaphore: self }
    }
}
