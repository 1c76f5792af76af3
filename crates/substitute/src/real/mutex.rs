//! The C library's own mutexes.

use core::ffi::c_int;

use libc::{clockid_t, pthread_mutex_t, pthread_mutexattr_t, timespec};

use super::real_function;

real_function!(
    /// pthread_mutex_init(3p).
    init = MutexInit(mutex: *mut pthread_mutex_t, attributes: *const pthread_mutexattr_t)
);
real_function!(
    /// `mtx_init`.
    c11_init = MtxInit(mutex: *mut pthread_mutex_t, kind: c_int)
);
real_function!(
    /// pthread_mutex_lock(3p).
    lock = MutexLock(mutex: *mut pthread_mutex_t)
);
real_function!(
    /// pthread_mutex_trylock(3p).
    try_lock = MutexTryLock(mutex: *mut pthread_mutex_t)
);
real_function!(
    /// pthread_mutex_timedlock(3p).
    timed_lock = MutexTimedLock(mutex: *mut pthread_mutex_t, time: *const timespec)
);
real_function!(
    /// `pthread_mutex_clocklock`.
    clock_lock = MutexClockLock(mutex: *mut pthread_mutex_t, clock: clockid_t, time: *const timespec)
);
real_function!(
    /// pthread_mutex_unlock(3p).
    unlock = MutexUnlock(mutex: *mut pthread_mutex_t)
);
real_function!(
    /// pthread_mutex_destroy(3p).
    destroy = MutexDestroy(mutex: *mut pthread_mutex_t)
);
