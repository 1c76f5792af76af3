//! Hooks around the functions of C11's threads.h.
//!
//! In the GNU C library `mtx_t` is a `pthread_mutex_t` and `cnd_t` a `pthread_cond_t`, and their functions are those of
//! pthread.h with other names for the results. The hooks do the same.

use core::ffi::c_int;
use core::ptr::null;

use libc::{EBUSY, ENOMEM, ETIMEDOUT, pthread_cond_t, pthread_mutex_t, timespec};
use locktoll_recording::layout::LockKind;

use super::condition::Waiting;
use super::{call, condition, mutex};
use crate::real;

/// threads.h: the return values of its functions.
const SUCCESS: c_int = 0;
const BUSY: c_int = 1;
const ERROR: c_int = 2;
const NO_MEMORY: c_int = 3;
const TIMED_OUT: c_int = 4;

/// Translates an errno(3) value into the result that threads.h defines.
fn in_c11(result: c_int) -> c_int {
    match result {
        0 => SUCCESS,
        EBUSY => BUSY,
        ENOMEM => NO_MEMORY,
        ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    }
}

pub unsafe extern "C" fn lock(mutex: *mut pthread_mutex_t, site: usize) -> c_int {
    // SAFETY: H1.
    in_c11(unsafe { mutex::lock(mutex, site) })
}

pub unsafe extern "C" fn trylock(mutex: *mut pthread_mutex_t, site: usize) -> c_int {
    // SAFETY: H1.
    in_c11(unsafe { mutex::trylock(mutex, site) })
}

pub unsafe extern "C" fn timedlock(
    mutex: *mut pthread_mutex_t,
    deadline: *const timespec,
    site: usize,
) -> c_int {
    // SAFETY: H1.
    in_c11(unsafe { mutex::timedlock(mutex, deadline, site) })
}

pub unsafe fn unlock(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: H1.
    in_c11(unsafe { mutex::unlock(mutex) })
}

pub unsafe extern "C" fn init(mutex: *mut pthread_mutex_t, kind: c_int, site: usize) -> c_int {
    // SAFETY: H1.
    let result = real::MTX_INIT
        .get()
        .map_or(ERROR, |init| unsafe { init(mutex, kind) });
    // SAFETY: H1.
    unsafe { call::note_init(LockKind::Mutex, mutex as usize, site, result) };
    result
}

/// Called after `cnd_wait` or `cnd_timedwait`. The pthread.h function that did the work returned `result`.
///
/// # Safety
/// As for [`condition::after_wait`].
pub unsafe extern "C" fn after_wait(result: c_int, waiting: *mut Waiting) -> c_int {
    // SAFETY: the caller's promise.
    in_c11(unsafe { condition::after_wait(result, waiting) })
}

pub unsafe extern "C" fn signal(condition: *mut pthread_cond_t, site: usize) -> c_int {
    // SAFETY: H1.
    in_c11(unsafe { condition::signal(condition, site) })
}

pub unsafe extern "C" fn broadcast(condition: *mut pthread_cond_t, site: usize) -> c_int {
    // SAFETY: H1.
    in_c11(unsafe { condition::broadcast(condition, site) })
}

pub unsafe extern "C" fn init_condition(condition: *mut pthread_cond_t, site: usize) -> c_int {
    // SAFETY: H1.
    in_c11(unsafe { condition::init(condition, null(), site) })
}
