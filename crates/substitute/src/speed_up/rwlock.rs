//! The C library's own reader-writer locks. Their threads pay, and the holds of chosen ones are sped up, those of readers too.

use core::ffi::c_int;

use libc::{clockid_t, pthread_rwlock_t, timespec};

use super::account::{begin, end_own, pay, resume, suspend, woken_now};
use crate::deadline;
use crate::lengthen::rwlock::{destroy, init, noted};
use crate::real::rwlock as real;
use crate::rwlock::rwlock_names;

rwlock_names! {
    /// Redirects the names of reader-writer locks.
    replace
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
