//! C11's `mtx_t`. In the GNU C library it is a `pthread_mutex_t`, with other names for the results.

use core::ffi::c_int;

use libc::{pthread_mutex_t, timespec};

use super::{lifetime, plain, timed};
use crate::in_place::InPlace;

pub const SUCCESS: c_int = 0;
const BUSY: c_int = 1;
const ERROR: c_int = 2;
const NO_MEMORY: c_int = 3;
const TIMED_OUT: c_int = 4;

/// Returns C11's result for an error number, as the GNU C library chooses it.
pub fn word(error: c_int) -> c_int {
    match error {
        0 => SUCCESS,
        libc::ENOMEM => NO_MEMORY,
        libc::ETIMEDOUT => TIMED_OUT,
        libc::EBUSY => BUSY,
        _ => ERROR,
    }
}

/// `mtx_lock`.
///
/// # Safety
/// The program's own mutex, here and below.
pub unsafe extern "C" fn lock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    word(unsafe { plain::lock::<L>(mutex) })
}

/// `mtx_trylock`.
///
/// # Safety
/// As for [`lock`].
pub unsafe extern "C" fn try_lock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    word(unsafe { plain::try_lock::<L>(mutex) })
}

/// `mtx_timedlock`.
///
/// # Safety
/// As for [`lock`], and the program's own time.
pub unsafe extern "C" fn timed_lock<L: InPlace>(
    mutex: *mut pthread_mutex_t,
    time: *const timespec,
) -> c_int {
    // SAFETY: the caller's promise.
    word(unsafe { timed::timed_lock::<L>(mutex, time) })
}

/// `mtx_unlock`.
///
/// # Safety
/// As for [`lock`].
pub unsafe extern "C" fn unlock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    word(unsafe { plain::unlock::<L>(mutex) })
}

/// `mtx_destroy`.
///
/// # Safety
/// As for [`lock`].
pub unsafe extern "C" fn destroy<L: InPlace>(mutex: *mut pthread_mutex_t) {
    // SAFETY: the caller's promise.
    unsafe { lifetime::destroy::<L>(mutex) };
}
