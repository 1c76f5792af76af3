//! Reader-writer locks.

use core::ffi::c_int;

use libc::{clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

use super::Function;

/// The type of `pthread_rwlock_rdlock` and of all others that take only the lock.
pub type RwLockFn = unsafe extern "C" fn(*mut pthread_rwlock_t) -> c_int;
pub type TimedRwLockFn = unsafe extern "C" fn(*mut pthread_rwlock_t, *const timespec) -> c_int;
pub type ClockRwLockFn =
    unsafe extern "C" fn(*mut pthread_rwlock_t, clockid_t, *const timespec) -> c_int;
pub type RwLockInitFn =
    unsafe extern "C" fn(*mut pthread_rwlock_t, *const pthread_rwlockattr_t) -> c_int;

pub static RWLOCK_RDLOCK: Function<RwLockFn> = Function::named(c"pthread_rwlock_rdlock");
pub static RWLOCK_WRLOCK: Function<RwLockFn> = Function::named(c"pthread_rwlock_wrlock");
pub static RWLOCK_TRYRDLOCK: Function<RwLockFn> = Function::named(c"pthread_rwlock_tryrdlock");
pub static RWLOCK_TRYWRLOCK: Function<RwLockFn> = Function::named(c"pthread_rwlock_trywrlock");
pub static RWLOCK_UNLOCK: Function<RwLockFn> = Function::named(c"pthread_rwlock_unlock");
pub static RWLOCK_TIMEDRDLOCK: Function<TimedRwLockFn> =
    Function::named(c"pthread_rwlock_timedrdlock");
pub static RWLOCK_TIMEDWRLOCK: Function<TimedRwLockFn> =
    Function::named(c"pthread_rwlock_timedwrlock");
/// In the GNU C library since 2.30.
pub static RWLOCK_CLOCKRDLOCK: Function<ClockRwLockFn> =
    Function::named(c"pthread_rwlock_clockrdlock");
/// In the GNU C library since 2.30.
pub static RWLOCK_CLOCKWRLOCK: Function<ClockRwLockFn> =
    Function::named(c"pthread_rwlock_clockwrlock");
pub static RWLOCK_INIT: Function<RwLockInitFn> = Function::named(c"pthread_rwlock_init");
