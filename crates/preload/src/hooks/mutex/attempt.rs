//! Attempts, and acquisitions with a deadline, which begin with an attempt.
//!
//! Robust mutexes are tried in a different way: with a deadline that has passed. If a mutex cannot be recovered, the GNU C
//! library's trylock returns `ENOTRECOVERABLE` but leaves it locked by the caller (seen in 2.36), and the real lock function
//! would then wait for its own caller. Mutexes with a priority ceiling are not tried at all: the attempt changes the thread's
//! priority, and with it the result of the lock function (seen in 2.36). Their word shows whether they are taken.

use core::ffi::c_int;

use libc::{EAGAIN, EBUSY, ENOSYS, ETIMEDOUT, clockid_t, pthread_mutex_t, timespec};
use locktoll_recording::layout::EntryPoint;

use super::lock::{after_try, key, known};
use super::object::{CEILING_BITS, WORD, word};
use crate::hooks::is_acquired;
use crate::identity;
use crate::ledger::{Ledger, acquired};
use crate::real;

pub unsafe extern "C" fn trylock(mutex: *mut pthread_mutex_t, site: usize) -> c_int {
    // SAFETY: H1.
    let known = unsafe { known(mutex, site, EntryPoint::TryLock) };
    // SAFETY: H1.
    let result = unsafe { real_trylock(mutex) };
    match known {
        Some((thread, count)) if is_acquired(result) => acquired(thread, count),
        // SAFETY: H1.
        _ => unsafe { note_attempt(mutex, site, EntryPoint::TryLock, result) },
    }
    result
}

/// Enters the outcome of an attempt.
#[cold]
#[inline(never)]
unsafe fn note_attempt(mutex: *mut pthread_mutex_t, site: usize, entry: EntryPoint, result: c_int) {
    if !is_acquired(result) && result != EBUSY {
        return;
    }
    let Some(ledger) = Ledger::open() else {
        return;
    };
    // SAFETY: H1.
    let key = unsafe { key(&ledger, mutex, site, entry) };
    if is_acquired(result) {
        ledger.acquired(key);
    } else {
        ledger.try_failed(key);
    }
}

pub unsafe extern "C" fn timedlock(
    mutex: *mut pthread_mutex_t,
    deadline: *const timespec,
    site: usize,
) -> c_int {
    // The deadline need not be valid if the mutex can be acquired at once: pthread_mutex_timedlock(3p).
    // SAFETY: H1.
    unsafe {
        with_deadline(mutex, site, || {
            real::MUTEX_TIMEDLOCK
                .get()
                .map_or(ENOSYS, |timedlock| timedlock(mutex, deadline))
        })
    }
}

pub unsafe extern "C" fn clocklock(
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    deadline: *const timespec,
    site: usize,
) -> c_int {
    let acquire = || {
        // SAFETY: H1.
        real::MUTEX_CLOCKLOCK
            .get()
            .map_or(ENOSYS, |clocklock| unsafe {
                clocklock(mutex, clock, deadline)
            })
    };
    // Unlike the deadline, the clock is checked first, and an invalid one fails even if the mutex is free.
    if clock != libc::CLOCK_REALTIME && clock != libc::CLOCK_MONOTONIC {
        return acquire();
    }
    // SAFETY: H1.
    unsafe { with_deadline(mutex, site, acquire) }
}

unsafe fn with_deadline(
    mutex: *mut pthread_mutex_t,
    site: usize,
    acquire: impl FnOnce() -> c_int,
) -> c_int {
    // SAFETY: H1.
    let tried = unsafe { attempt(mutex) };
    if tried == 0 {
        // SAFETY: H1.
        unsafe { note_attempt(mutex, site, EntryPoint::TimedLock, 0) };
        return 0;
    }
    // SAFETY: H1.
    unsafe { after_try(mutex, site, EntryPoint::TimedLock, tried, acquire) }
}

/// Acquires the mutex if that is possible at once. Returns `EBUSY` if not, or another value if the real function has to
/// decide.
pub unsafe fn attempt(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: H1.
    let (is_robust, has_ceiling) = unsafe { identity::mutex_protocol(mutex as usize) };
    if has_ceiling {
        // SAFETY: H1.
        let is_taken = unsafe { word(mutex, WORD) } & !CEILING_BITS != 0;
        return if is_taken { EBUSY } else { EAGAIN };
    }
    if !is_robust {
        // SAFETY: H1.
        return unsafe { real_trylock(mutex) };
    }
    let passed = timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    let Some(timedlock) = real::MUTEX_TIMEDLOCK.get() else {
        return EBUSY;
    };
    // SAFETY: H1.
    match unsafe { timedlock(mutex, &raw const passed) } {
        ETIMEDOUT => EBUSY,
        tried => tried,
    }
}

unsafe fn real_trylock(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: H1. Otherwise as in `real_lock`.
    real::MUTEX_TRYLOCK
        .get()
        .map_or(0, |trylock| unsafe { trylock(mutex) })
}
