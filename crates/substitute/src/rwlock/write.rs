//! Acquiring to write.

use core::ffi::c_int;

use libc::{clockid_t, pthread_rwlock_t, timespec};
use locktoll_locks::{Deadline, RawRw};

use super::deadline;
use super::object::RwObject;
use super::read::answer;
use super::settled::ours;
use crate::real::rwlock as real;

/// pthread_rwlock_wrlock(3p).
///
/// # Safety
/// The program's own lock.
pub unsafe extern "C" fn lock(rwlock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { ours(rwlock) } {
        Some(object) => object.write_until(None),
        // SAFETY: as above.
        None => unsafe { real::write_lock(rwlock) },
    }
}

/// pthread_rwlock_trywrlock(3p).
///
/// # Safety
/// The program's own lock.
pub unsafe extern "C" fn try_lock(rwlock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: the caller's promise.
    let Some(object) = (unsafe { ours(rwlock) }) else {
        // SAFETY: as above.
        return unsafe { real::try_write_lock(rwlock) };
    };
    // SAFETY: settled.
    if unsafe { object.lock() }.try_lock_exclusive() {
        object.note_writer();
        0
    } else {
        libc::EBUSY
    }
}

/// pthread_rwlock_timedwrlock(3p).
///
/// # Safety
/// The program's own lock and time.
pub unsafe extern "C" fn timed_lock(rwlock: *mut pthread_rwlock_t, time: *const timespec) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { ours(rwlock) } {
        // SAFETY: as above.
        Some(object) => match unsafe { deadline::read(libc::CLOCK_REALTIME, time) } {
            Ok(deadline) => object.write_until(deadline.as_ref()),
            Err(error) => error,
        },
        // SAFETY: as above.
        None => unsafe { real::timed_write_lock(rwlock, time) },
    }
}

/// `pthread_rwlock_clockwrlock` of the GNU C library (POSIX.1-2024).
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
            Ok(deadline) => object.write_until(deadline.as_ref()),
            Err(error) => error,
        },
        // SAFETY: as above.
        None => unsafe { real::clock_write_lock(rwlock, clock, time) },
    }
}

impl RwObject {
    #[inline(always)]
    fn write_until(&self, deadline: Option<&Deadline>) -> c_int {
        if self.is_written_by_caller() {
            return libc::EDEADLK;
        }
        // SAFETY: the callers have settled it.
        let acquired = unsafe { self.lock() }.lock_exclusive_until(deadline);
        if acquired.is_ok() {
            self.note_writer();
        }
        answer(acquired)
    }
}
