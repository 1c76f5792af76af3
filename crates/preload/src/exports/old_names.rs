//! Old names that the C library keeps for the same functions, for programs and libraries that were linked a long time ago. A
//! program that uses one of them may use the same object by its other name elsewhere. So an acquisition missed here would
//! leave a release without its acquisition there.

use core::ffi::c_int;

use libc::{pthread_mutex_t, pthread_rwlock_t};

use super::trampoline::with_return_address;
use crate::hooks::{mutex, rwlock};

/// Defines names that go where the name without underscores goes.
macro_rules! old_names {
    ($($name:ident $hook:path, $where:ident;)+) => {
        $(
            #[doc = concat!(stringify!($name), ": as the name without underscores.")]
            #[unsafe(naked)]
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name() {
                with_return_address!($hook, $where)
            }
        )+
    };
}

old_names! {
    __pthread_mutex_lock mutex::lock, second;
    __pthread_mutex_trylock mutex::trylock, second;
    __pthread_mutex_init mutex::init, third;
    __pthread_rwlock_rdlock rwlock::rdlock, second;
    __pthread_rwlock_tryrdlock rwlock::tryrdlock, second;
    __pthread_rwlock_wrlock rwlock::wrlock, second;
    __pthread_rwlock_trywrlock rwlock::trywrlock, second;
    __pthread_rwlock_init rwlock::init, third;
}

/// `__pthread_mutex_unlock`: as the name without underscores.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __pthread_mutex_unlock(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: H1: it is the program's own argument.
    unsafe { mutex::unlock(mutex) }
}

/// `__pthread_rwlock_unlock`: as the name without underscores.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __pthread_rwlock_unlock(lock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: H1: it is the program's own argument.
    unsafe { rwlock::unlock(lock) }
}
