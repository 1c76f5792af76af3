//! The C library's own reader-writer locks, with longer holds: those of readers and those of writers.

use core::ffi::c_int;

use libc::{clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

use super::chosen::Noted;
use super::holds;
use crate::entries::{self, Entry};
use crate::only::with_site;
use crate::real::rwlock as real;
use crate::tally::Object;

/// Redirects the names of reader-writer locks.
pub fn replace() {
    // SAFETY: E1: each has the signature of its name.
    unsafe {
        entries::send(Entry::RwInit, init_from as *mut _);
        entries::send(Entry::RwReadLock, read_from as *mut _);
        entries::send(Entry::RwTryReadLock, try_read_from as *mut _);
        entries::send(Entry::RwTimedReadLock, timed_read_from as *mut _);
        entries::send(Entry::RwClockReadLock, clock_read_from as *mut _);
        entries::send(Entry::RwWriteLock, write_from as *mut _);
        entries::send(Entry::RwTryWriteLock, try_write_from as *mut _);
        entries::send(Entry::RwTimedWriteLock, timed_write_from as *mut _);
        entries::send(Entry::RwClockWriteLock, clock_write_from as *mut _);
        entries::send(Entry::RwUnlock, unlock as *mut _);
        entries::send(Entry::RwDestroy, destroy as *mut _);
    }
}

with_site!(init_from = init, behind 2);
with_site!(read_from = read_lock, behind 1);
with_site!(try_read_from = try_read_lock, behind 1);
with_site!(timed_read_from = timed_read_lock, behind 2);
with_site!(clock_read_from = clock_read_lock, behind 3);
with_site!(write_from = write_lock, behind 1);
with_site!(try_write_from = try_write_lock, behind 1);
with_site!(timed_write_from = timed_write_lock, behind 2);
with_site!(clock_write_from = clock_write_lock, behind 3);

/// Bytes that the C library does not use in a reader-writer lock of any kind.
const WORD_AT: usize = 16;

unsafe fn noted<'a>(rwlock: *mut pthread_rwlock_t) -> Noted<'a> {
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

unsafe extern "C" fn init(
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

unsafe extern "C" fn destroy(rwlock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        noted(rwlock).forget();
        real::destroy(rwlock)
    }
}
