//! Reader-writer locks.

use core::ffi::c_int;

use libc::{clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

use super::trampoline::with_return_address;
use crate::hooks::rwlock as hooks;

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_rdlock(lock: *mut pthread_rwlock_t) -> c_int {
    with_return_address!(hooks::rdlock, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_tryrdlock(lock: *mut pthread_rwlock_t) -> c_int {
    with_return_address!(hooks::tryrdlock, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_timedrdlock(
    lock: *mut pthread_rwlock_t,
    deadline: *const timespec,
) -> c_int {
    with_return_address!(hooks::timedrdlock, third)
}

/// `pthread_rwlock_clockrdlock`, of the GNU C library since 2.30.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_clockrdlock(
    lock: *mut pthread_rwlock_t,
    clock: clockid_t,
    deadline: *const timespec,
) -> c_int {
    with_return_address!(hooks::clockrdlock, fourth)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_wrlock(lock: *mut pthread_rwlock_t) -> c_int {
    with_return_address!(hooks::wrlock, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_trywrlock(lock: *mut pthread_rwlock_t) -> c_int {
    with_return_address!(hooks::trywrlock, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_timedwrlock(
    lock: *mut pthread_rwlock_t,
    deadline: *const timespec,
) -> c_int {
    with_return_address!(hooks::timedwrlock, third)
}

/// `pthread_rwlock_clockwrlock`, of the GNU C library since 2.30.
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_clockwrlock(
    lock: *mut pthread_rwlock_t,
    clock: clockid_t,
    deadline: *const timespec,
) -> c_int {
    with_return_address!(hooks::clockwrlock, fourth)
}

/// pthread_rwlock_unlock(3p). Its call site is not needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_unlock(lock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: H1: it is the program's own argument.
    unsafe { hooks::unlock(lock) }
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_rwlock_init(
    lock: *mut pthread_rwlock_t,
    attributes: *const pthread_rwlockattr_t,
) -> c_int {
    with_return_address!(hooks::init, third)
}
