//! The C library's own reader-writer locks.

use libc::{clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

use super::real_function;

real_function!(
    /// pthread_rwlock_rdlock(3p).
    read_lock = RwReadLock(rwlock: *mut pthread_rwlock_t)
);
real_function!(
    /// pthread_rwlock_tryrdlock(3p).
    try_read_lock = RwTryReadLock(rwlock: *mut pthread_rwlock_t)
);
real_function!(
    /// pthread_rwlock_timedrdlock(3p).
    timed_read_lock = RwTimedReadLock(rwlock: *mut pthread_rwlock_t, time: *const timespec)
);
real_function!(
    /// `pthread_rwlock_clockrdlock`.
    clock_read_lock = RwClockReadLock(rwlock: *mut pthread_rwlock_t, clock: clockid_t, time: *const timespec)
);
real_function!(
    /// pthread_rwlock_wrlock(3p).
    write_lock = RwWriteLock(rwlock: *mut pthread_rwlock_t)
);
real_function!(
    /// pthread_rwlock_trywrlock(3p).
    try_write_lock = RwTryWriteLock(rwlock: *mut pthread_rwlock_t)
);
real_function!(
    /// pthread_rwlock_timedwrlock(3p).
    timed_write_lock = RwTimedWriteLock(rwlock: *mut pthread_rwlock_t, time: *const timespec)
);
real_function!(
    /// `pthread_rwlock_clockwrlock`.
    clock_write_lock = RwClockWriteLock(rwlock: *mut pthread_rwlock_t, clock: clockid_t, time: *const timespec)
);
real_function!(
    /// pthread_rwlock_unlock(3p).
    unlock = RwUnlock(rwlock: *mut pthread_rwlock_t)
);
real_function!(
    /// pthread_rwlock_init(3p).
    init = RwInit(rwlock: *mut pthread_rwlock_t, attributes: *const pthread_rwlockattr_t)
);
real_function!(
    /// pthread_rwlock_destroy(3p).
    destroy = RwDestroy(rwlock: *mut pthread_rwlock_t)
);
