//! Spin locks.

use core::ffi::c_int;

use libc::pthread_spinlock_t;

use super::trampoline::with_return_address;
use crate::hooks::spin as hooks;

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_spin_lock(lock: *mut pthread_spinlock_t) -> c_int {
    with_return_address!(hooks::lock, second)
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_spin_trylock(lock: *mut pthread_spinlock_t) -> c_int {
    with_return_address!(hooks::trylock, second)
}

/// pthread_spin_unlock(3p). Its call site is not needed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_spin_unlock(lock: *mut pthread_spinlock_t) -> c_int {
    // SAFETY: H1: it is the program's own argument.
    unsafe { hooks::unlock(lock) }
}

#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_spin_init(lock: *mut pthread_spinlock_t, shared: c_int) -> c_int {
    with_return_address!(hooks::init, third)
}
