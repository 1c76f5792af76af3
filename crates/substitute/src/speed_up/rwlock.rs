//! The C library's own reader-writer locks. Their threads pay, and the holds of chosen ones are sped up, those of readers too.

use core::ffi::c_int;

use libc::{clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};

use super::account::{begin, end_own, pay, resume, suspend, woken_now};
use crate::deadline;
use crate::entries::{self, Entry};
use crate::lengthen::Noted;
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

/// Begins a hold if the lock was acquired (`result`) and is chosen.
#[inline]
unsafe fn acquired(rwlock: *mut pthread_rwlock_t, result: c_int, site: usize) -> c_int {
    // SAFETY: the caller's promise.
    if result == 0 && unsafe { noted(rwlock) }.decide(site) {
        begin();
    }
    result
}

/// Acquires with `wait` if `try_first` finds the lock held. The C library hands these locks over, so no other thread can have held
/// the lock since the release: the time in which the kernel wakes this thread need not be paid.
#[inline]
fn acquire(try_first: impl FnOnce() -> c_int, wait: impl FnOnce() -> c_int) -> c_int {
    pay();
    match try_first() {
        libc::EBUSY => {
            suspend();
            let result = wait();
            match result {
                0 => woken_now(),
                _ => resume(),
            }
            result
        }
        result => result,
    }
}

/// Whether the C library refuses the deadline even if the lock is free.
unsafe fn is_refused(clock: clockid_t, time: *const timespec) -> bool {
    // SAFETY: the caller's promise.
    !deadline::is_known(clock) || !matches!(unsafe { deadline::read(clock, time) }, Ok(Some(_)))
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

/// Defines the functions that acquire in one way.
macro_rules! acquire {
    ($lock:ident, $try_lock:ident, $timed_lock:ident, $clock_lock:ident) => {
        unsafe extern "C" fn $lock(rwlock: *mut pthread_rwlock_t, site: usize) -> c_int {
            // SAFETY: the caller's promise.
            unsafe {
                let result = acquire(|| real::$try_lock(rwlock), || real::$lock(rwlock));
                acquired(rwlock, result, site)
            }
        }

        unsafe extern "C" fn $try_lock(rwlock: *mut pthread_rwlock_t, site: usize) -> c_int {
            pay();
            // SAFETY: the caller's promise.
            unsafe { acquired(rwlock, real::$try_lock(rwlock), site) }
        }

        unsafe extern "C" fn $timed_lock(
            rwlock: *mut pthread_rwlock_t,
            time: *const timespec,
            site: usize,
        ) -> c_int {
            // SAFETY: the caller's promise.
            unsafe {
                let wait = || real::$timed_lock(rwlock, time);
                let result = match is_refused(libc::CLOCK_REALTIME, time) {
                    true => wait(),
                    false => acquire(|| real::$try_lock(rwlock), wait),
                };
                acquired(rwlock, result, site)
            }
        }

        unsafe extern "C" fn $clock_lock(
            rwlock: *mut pthread_rwlock_t,
            clock: clockid_t,
            time: *const timespec,
            site: usize,
        ) -> c_int {
            // SAFETY: the caller's promise.
            unsafe {
                let wait = || real::$clock_lock(rwlock, clock, time);
                let result = match is_refused(clock, time) {
                    true => wait(),
                    false => acquire(|| real::$try_lock(rwlock), wait),
                };
                acquired(rwlock, result, site)
            }
        }
    };
}

acquire!(read_lock, try_read_lock, timed_read_lock, clock_read_lock);
acquire!(
    write_lock,
    try_write_lock,
    timed_write_lock,
    clock_write_lock
);

unsafe extern "C" fn unlock(rwlock: *mut pthread_rwlock_t) -> c_int {
    pay();
    // SAFETY: the caller's promise.
    unsafe {
        if noted(rwlock).is_chosen() {
            end_own();
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
