//! Condition variables.

use core::ffi::c_int;

use libc::{clockid_t, pthread_cond_t, pthread_condattr_t, pthread_mutex_t, timespec};

use super::trampoline::{around_wait, with_return_address};
use crate::hooks::condition as hooks;

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_wait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
) -> c_int {
    around_wait!(
        hooks::before_wait_for_ever,
        hooks::after_wait,
        hooks::WAITING_BYTES
    )
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_timedwait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    deadline: *const timespec,
) -> c_int {
    around_wait!(
        hooks::before_timedwait,
        hooks::after_wait,
        hooks::WAITING_BYTES
    )
}

/// pthread_cond_clockwait(3), of the GNU C library since 2.30.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_clockwait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    deadline: *const timespec,
) -> c_int {
    around_wait!(
        hooks::before_clockwait,
        hooks::after_wait,
        hooks::WAITING_BYTES
    )
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_signal(condition: *mut pthread_cond_t) -> c_int {
    with_return_address!(hooks::signal, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_broadcast(condition: *mut pthread_cond_t) -> c_int {
    with_return_address!(hooks::broadcast, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_init(
    condition: *mut pthread_cond_t,
    attributes: *const pthread_condattr_t,
) -> c_int {
    with_return_address!(hooks::init, third)
}
