//! The C library's own reader-writer locks, with longer holds: those of readers and those of writers.

use core::ffi::c_int;

use libc::{clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

use super::chosen::Noted;
use super::holds;
use crate::real::rwlock as real;
use crate::rwlock::rwlock_names;
use crate::tally::Object;

rwlock_names! {
    /// Redirects the names of reader-writer locks.
    replace
}

/// Bytes that the C library does not use in a reader-writer lock of any kind.
const WORD_AT: usize = 16;

/// Returns the place where the decision about the lock is noted.
///
/// # Safety
/// The program's own reader-writer lock.
pub unsafe fn noted<'a>(rwlock: *mut pthread_rwlock_t) -> Noted<'a> {
    // SAFETY: the caller's own lock.
    unsafe { Noted::at(rwlock.expose_provenance(), WORD_AT, Object::ReaderWriter) }
}

#[inline]
unsafe fn acquired(rwlock: *mut pthread_rwlock_t, result: c_int, site: usize) -> c_int {
    // SAFETY: the caller's promise.
    if result == 0 && unsafe { noted(rwlock) }.decide(site) {
        // A reader may acquire it again.
        holds::begin(rwlock.addr(), true);
    }
    result
}

/// Initialises the lock, and decides about it anew.
///
/// # Safety
/// The arguments that the program passes to pthread_rwlock_init(3).
pub unsafe extern "C" fn init(
    rwlock: *mut pthread_rwlock_t,
    attributes: *const pthread_rwlockattr_t,
    site: usize,
) -> c_int {
    // SAFETY: the caller's promise, here and in all functions below.
    unsafe {
        let result = real::init(rwlock, attributes);
        if result == 0 {
            noted(rwlock).forget();
            noted(rwlock).decide(site);
        }
        result
    }
}

/// Defines a function that acquires.
macro_rules! acquire {
    ($name:ident($($argument:ident: $type:ty),*)) => {
        unsafe extern "C" fn $name(rwlock: *mut pthread_rwlock_t, $($argument: $type,)* site: usize) -> c_int {
            // SAFETY: the caller's promise.
            unsafe { acquired(rwlock, real::$name(rwlock, $($argument),*), site) }
        }
    };
}

acquire!(read_lock());
acquire!(try_read_lock());
acquire!(timed_read_lock(time: *const timespec));
acquire!(clock_read_lock(clock: clockid_t, time: *const timespec));
acquire!(write_lock());
acquire!(try_write_lock());
acquire!(timed_write_lock(time: *const timespec));
acquire!(clock_write_lock(clock: clockid_t, time: *const timespec));

unsafe extern "C" fn unlock(rwlock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        if noted(rwlock).is_chosen() {
            holds::end(rwlock.addr());
        }
        real::unlock(rwlock)
    }
}

/// Destroys the lock, and forgets the decision.
///
/// # Safety
/// The argument that the program passes to pthread_rwlock_destroy(3).
pub unsafe extern "C" fn destroy(rwlock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        noted(rwlock).forget();
        real::destroy(rwlock)
    }
}
