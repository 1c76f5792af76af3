//! Acquiring to read.

use core::ffi::c_int;

use libc::{clockid_t, pthread_rwlock_t, timespec};
use locktoll_locks::{Deadline, NotAcquired};

use super::deadline;
use super::object::RwObject;
use super::settled::ours;
use crate::real::rwlock as real;

/// pthread_rwlock_rdlock(3p).
///
/// # Safety
/// The program's own lock.
pub unsafe extern "C" fn lock(rwlock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { ours(rwlock) } {
        Some(object) => object.read_until(None),
        // SAFETY: as above.
        None => unsafe { real::read_lock(rwlock) },
    }
}

/// pthread_rwlock_tryrdlock(3p).
///
/// # Safety
/// The program's own lock.
pub unsafe extern "C" fn try_lock(rwlock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { ours(rwlock) } {
        // SAFETY: settled.
        Some(object) => answer(unsafe { object.lock() }.try_lock_shared_or_why()),
        // SAFETY: as above.
        None => unsafe { real::try_read_lock(rwlock) },
    }
}

/// pthread_rwlock_timedrdlock(3p).
///
/// # Safety
/// The program's own lock and time.
pub unsafe extern "C" fn timed_lock(rwlock: *mut pthread_rwlock_t, time: *const timespec) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { ours(rwlock) } {
        // SAFETY: as above.
        Some(object) => match unsafe { deadline::read(libc::CLOCK_REALTIME, time) } {
            Ok(deadline) => object.read_until(deadline.as_ref()),
            Err(error) => error,
        },
        // SAFETY: as above.
        None => unsafe { real::timed_read_lock(rwlock, time) },
    }
}

/// `pthread_rwlock_clockrdlock` of the GNU C library (POSIX.1-2024).
///
/// # Safety
/// The program's own lock and time.
pub unsafe extern "C" fn clock_lock(
    rwlock: *mut pthread_rwlock_t,
    clock: clockid_t,
    time: *const timespec,
) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { ours(rwlock) } {
        // SAFETY: as above.
        Some(object) => match unsafe { deadline::read(clock, time) } {
            Ok(deadline) => object.read_until(deadline.as_ref()),
            Err(error) => error,
        },
        // SAFETY: as above.
        None => unsafe { real::clock_read_lock(rwlock, clock, time) },
    }
}

impl RwObject {
    #[inline(always)]
    fn read_until(&self, deadline: Option<&Deadline>) -> c_int {
        if self.is_written_by_caller() {
            return libc::EDEADLK;
        }
        // SAFETY: the callers have settled it.
        answer(unsafe { self.lock() }.lock_shared_until(deadline))
    }
}

/// Returns the error number that POSIX defines for the result.
#[inline(always)]
pub fn answer(result: Result<(), NotAcquired>) -> c_int {
    match result {
        Ok(()) => 0,
        Err(NotAcquired::Held) => libc::EBUSY,
        Err(NotAcquired::TimedOut) => libc::ETIMEDOUT,
        Err(NotAcquired::TooManyReaders) => libc::EAGAIN,
    }
}
