//! The C library's own spin locks.

use core::ffi::c_int;

use libc::pthread_spinlock_t;

use super::real_function;

real_function!(
    /// pthread_spin_lock(3p).
    lock = SpinLock(spin: *mut pthread_spinlock_t)
);
real_function!(
    /// pthread_spin_trylock(3p).
    try_lock = SpinTryLock(spin: *mut pthread_spinlock_t)
);
real_function!(
    /// pthread_spin_unlock(3p).
    unlock = SpinUnlock(spin: *mut pthread_spinlock_t)
);
real_function!(
    /// pthread_spin_init(3p).
    init = SpinInit(spin: *mut pthread_spinlock_t, shared: c_int)
);
