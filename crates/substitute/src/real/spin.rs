//! The C library's own spin locks.

use core::ffi::c_int;

use libc::pthread_spinlock_t;

use super::real_function;

real_function! {
    lock = SpinLock(spin: *mut pthread_spinlock_t);
    try_lock = SpinTryLock(spin: *mut pthread_spinlock_t);
    unlock = SpinUnlock(spin: *mut pthread_spinlock_t);
    init = SpinInit(spin: *mut pthread_spinlock_t, shared: c_int);
}
