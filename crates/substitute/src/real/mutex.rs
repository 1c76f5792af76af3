//! The C library's own mutexes.

use core::ffi::c_int;

use libc::{clockid_t, pthread_mutex_t, pthread_mutexattr_t, timespec};

use super::real_function;

real_function! {
    init = MutexInit(mutex: *mut pthread_mutex_t, attributes: *const pthread_mutexattr_t);
    c11_init = MtxInit(mutex: *mut pthread_mutex_t, kind: c_int);
    lock = MutexLock(mutex: *mut pthread_mutex_t);
    try_lock = MutexTryLock(mutex: *mut pthread_mutex_t);
    timed_lock = MutexTimedLock(mutex: *mut pthread_mutex_t, time: *const timespec);
    clock_lock = MutexClockLock(mutex: *mut pthread_mutex_t, clock: clockid_t, time: *const timespec);
    unlock = MutexUnlock(mutex: *mut pthread_mutex_t);
    destroy = MutexDestroy(mutex: *mut pthread_mutex_t);
}
