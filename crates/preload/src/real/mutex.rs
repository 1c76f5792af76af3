//! Mutexes.

use core::ffi::c_int;

use libc::{clockid_t, pthread_mutex_t, pthread_mutexattr_t, timespec};

use super::Function;

pub type MutexFn = unsafe extern "C" fn(*mut pthread_mutex_t) -> c_int;
pub type MutexInitFn =
    unsafe extern "C" fn(*mut pthread_mutex_t, *const pthread_mutexattr_t) -> c_int;
pub type TimedLockFn = unsafe extern "C" fn(*mut pthread_mutex_t, *const timespec) -> c_int;
pub type ClockLockFn =
    unsafe extern "C" fn(*mut pthread_mutex_t, clockid_t, *const timespec) -> c_int;

pub static MUTEX_LOCK: Function<MutexFn> = Function::named(c"pthread_mutex_lock");
pub static MUTEX_TRYLOCK: Function<MutexFn> = Function::named(c"pthread_mutex_trylock");
pub static MUTEX_UNLOCK: Function<MutexFn> = Function::named(c"pthread_mutex_unlock");
pub static MUTEX_INIT: Function<MutexInitFn> = Function::named(c"pthread_mutex_init");
pub static MUTEX_TIMEDLOCK: Function<TimedLockFn> = Function::named(c"pthread_mutex_timedlock");
/// In the GNU C library since 2.30.
pub static MUTEX_CLOCKLOCK: Function<ClockLockFn> = Function::named(c"pthread_mutex_clocklock");
