//! Mutexes.

use core::ffi::c_int;

use libc::{clockid_t, pthread_mutex_t, pthread_mutexattr_t, timespec};

use super::trampoline::with_return_address;
use crate::hooks::mutex as hooks;

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_lock(mutex: *mut pthread_mutex_t) -> c_int {
    with_return_address!(hooks::lock, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_trylock(mutex: *mut pthread_mutex_t) -> c_int {
    with_return_address!(hooks::trylock, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_timedlock(
    mutex: *mut pthread_mutex_t,
    deadline: *const timespec,
) -> c_int {
    with_return_address!(hooks::timedlock, third)
}

/// pthread_mutex_clocklock(3), of the GNU C library since 2.30.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_clocklock(
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    deadline: *const timespec,
) -> c_int {
    with_return_address!(hooks::clocklock, fourth)
}

/// pthread_mutex_unlock(3p). Its call site is not needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_unlock(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: H1: it is the program's own argument.
    unsafe { hooks::unlock(mutex) }
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_init(
    mutex: *mut pthread_mutex_t,
    attributes: *const pthread_mutexattr_t,
) -> c_int {
    with_return_address!(hooks::init, third)
}
