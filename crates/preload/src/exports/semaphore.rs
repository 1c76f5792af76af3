//! Semaphores.

use core::ffi::{c_int, c_uint};

use libc::{clockid_t, sem_t, timespec};

use super::trampoline::{around_cancellation_point, with_return_address};
use crate::hooks::{post, semaphore as hooks};

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_wait(semaphore: *mut sem_t) -> c_int {
    around_cancellation_point!(
        hooks::enter_wait,
        hooks::before_wait,
        hooks::after_wait,
        hooks::WAITING_BYTES
    )
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_timedwait(semaphore: *mut sem_t, deadline: *const timespec) -> c_int {
    around_cancellation_point!(
        hooks::enter_timedwait,
        hooks::before_wait,
        hooks::after_wait,
        hooks::WAITING_BYTES
    )
}

/// sem_clockwait(3), of the GNU C library since 2.30.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_clockwait(
    semaphore: *mut sem_t,
    clock: clockid_t,
    deadline: *const timespec,
) -> c_int {
    around_cancellation_point!(
        hooks::enter_clockwait,
        hooks::before_wait,
        hooks::after_wait,
        hooks::WAITING_BYTES
    )
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_trywait(semaphore: *mut sem_t) -> c_int {
    with_return_address!(hooks::trywait, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_post(semaphore: *mut sem_t) -> c_int {
    with_return_address!(post::post, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sem_init(semaphore: *mut sem_t, shared: c_int, value: c_uint) -> c_int {
    with_return_address!(hooks::init, fourth)
}
