//! The C library's own mutexes.

use libc::{clockid_t, pthread_mutex_t, timespec};

use super::real_function;

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
