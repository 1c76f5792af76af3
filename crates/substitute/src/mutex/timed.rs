//! Acquiring with a deadline: pthread_mutex_timedlock(3p), `pthread_mutex_clocklock`.
//!
//! As in the C library, an invalid deadline is an error only if the thread would have to wait; an unavailable clock is
//! always an error.

use core::ffi::c_int;

use libc::{clockid_t, pthread_mutex_t, timespec};

use super::kinds::{self, Kind};
use crate::deadline;
use crate::in_place::InPlace;
use crate::real::mutex as real;
use crate::thread::caller;

/// pthread_mutex_timedlock(3p).
///
/// # Safety
/// The program's own mutex and time.
pub unsafe extern "C" fn timed_lock<L: InPlace>(
    mutex: *mut pthread_mutex_t,
    time: *const timespec,
) -> c_int {
    // SAFETY: the caller's promise.
    let answer = unsafe { lock_until::<L>(mutex, libc::CLOCK_REALTIME, time) };
    // SAFETY: as above.
    answer.unwrap_or_else(|| unsafe { real::timed_lock(mutex, time) })
}

/// `pthread_mutex_clocklock` of the GNU C library (POSIX.1-2024).
///
/// # Safety
/// The program's own mutex and time.
pub unsafe extern "C" fn clock_lock<L: InPlace>(
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    time: *const timespec,
) -> c_int {
    if !deadline::is_known(clock) {
        return libc::EINVAL;
    }
    // SAFETY: the caller's promise.
    let answer = unsafe { lock_until::<L>(mutex, clock, time) };
    // SAFETY: as above.
    answer.unwrap_or_else(|| unsafe { real::clock_lock(mutex, clock, time) })
}

/// Returns `None` if the mutex is the C library's.
unsafe fn lock_until<L: InPlace>(
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    time: *const timespec,
) -> Option<c_int> {
    // SAFETY: the caller's promise.
    let (object, kind) = unsafe { kinds::sorted::<L>(mutex) };
    match kind {
        Kind::Passed => return None,
        Kind::Recursive | Kind::ErrorChecking if object.is_callers() => {
            return Some(object.acquire_again(kind));
        }
        _ => {}
    }
    // SAFETY: settled.
    let lock = unsafe { object.lock::<L>() };
    if !lock.try_lock() {
        // SAFETY: the caller's promise.
        match unsafe { deadline::read(clock, time) } {
            Ok(None) => lock.lock(),
            Ok(Some(deadline)) if lock.try_lock_until(&deadline) => {}
            Ok(Some(_)) => return Some(libc::ETIMEDOUT),
            Err(error) => return Some(error),
        }
    }
    if kind != Kind::Normal {
        object.note_owner(caller(), 1);
    }
    Some(0)
}
