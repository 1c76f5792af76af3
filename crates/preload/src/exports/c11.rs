//! Mutexes and condition variables of C11's threads.h, of the GNU C library since 2.28.

use core::ffi::c_int;

use libc::{pthread_cond_t, pthread_mutex_t, timespec};

use super::trampoline::{around_wait, with_return_address};
use crate::hooks::{c11 as hooks, condition};

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mtx_lock(mutex: *mut pthread_mutex_t) -> c_int {
    with_return_address!(hooks::lock, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mtx_trylock(mutex: *mut pthread_mutex_t) -> c_int {
    with_return_address!(hooks::trylock, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mtx_timedlock(
    mutex: *mut pthread_mutex_t,
    deadline: *const timespec,
) -> c_int {
    with_return_address!(hooks::timedlock, third)
}

/// mtx_unlock(3). Its call site is not needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mtx_unlock(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: H1: it is the program's own argument.
    unsafe { hooks::unlock(mutex) }
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mtx_init(mutex: *mut pthread_mutex_t, kind: c_int) -> c_int {
    with_return_address!(hooks::init, third)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnd_wait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
) -> c_int {
    around_wait!(
        condition::before_wait_for_ever,
        hooks::after_wait,
        condition::WAITING_BYTES
    )
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnd_timedwait(
    condition: *mut pthread_cond_t,
    mutex: *mut pthread_mutex_t,
    deadline: *const timespec,
) -> c_int {
    around_wait!(
        condition::before_timedwait,
        hooks::after_wait,
        condition::WAITING_BYTES
    )
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnd_signal(condition: *mut pthread_cond_t) -> c_int {
    with_return_address!(hooks::signal, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnd_broadcast(condition: *mut pthread_cond_t) -> c_int {
    with_return_address!(hooks::broadcast, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cnd_init(condition: *mut pthread_cond_t) -> c_int {
    with_return_address!(hooks::init_condition, second)
}
