//! The C library's own reader-writer locks.

use libc::{clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

use super::real_function;

real_function! {
    read_lock = RwReadLock(rwlock: *mut pthread_rwlock_t);
    try_read_lock = RwTryReadLock(rwlock: *mut pthread_rwlock_t);
    timed_read_lock = RwTimedReadLock(rwlock: *mut pthread_rwlock_t, time: *const timespec);
    clock_read_lock = RwClockReadLock(rwlock: *mut pthread_rwlock_t, clock: clockid_t, time: *const timespec);
    write_lock = RwWriteLock(rwlock: *mut pthread_rwlock_t);
    try_write_lock = RwTryWriteLock(rwlock: *mut pthread_rwlock_t);
    timed_write_lock = RwTimedWriteLock(rwlock: *mut pthread_rwlock_t, time: *const timespec);
    clock_write_lock = RwClockWriteLock(rwlock: *mut pthread_rwlock_t, clock: clockid_t, time: *const timespec);
    unlock = RwUnlock(rwlock: *mut pthread_rwlock_t);
    init = RwInit(rwlock: *mut pthread_rwlock_t, attributes: *const pthread_rwlockattr_t);
    destroy = RwDestroy(rwlock: *mut pthread_rwlock_t);
}
