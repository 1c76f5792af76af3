//! What happens around each function of the C library. Nothing else decides what is counted.
//!
//! | call | counted |
//! |---|---|
//! | any lock function that returns 0 or `EOWNERDEAD` | one acquisition |
//! | the same after it had to wait | one contended acquisition, and the wait |
//! | a lock function with a deadline that returns `ETIMEDOUT` | one wait given up, and its time |
//! | `trylock` that returns `EBUSY` | one failed attempt |
//! | a wait for a condition that returns with the mutex locked | one acquisition, never contended |
//! | anything that returns another error | nothing |
//!
//! Whether a lock has to wait is found by trying it first: `pthread_mutex_trylock` has the effects of
//! `pthread_mutex_lock` where the mutex can be had at once, and none otherwise (POSIX.1-2017). Whatever it says other
//! than "acquired" and "busy", the real lock function is asked again, so that its own return value is what the
//! program gets.
//!
//! Robust mutexes are tried in another way, by a deadline that has passed. The GNU C library's trylock leaves a
//! mutex that cannot be recovered locked by the caller while it says `ENOTRECOVERABLE` (seen in 2.36), and the real
//! lock function would then wait for its own caller.
//!
//! # Invariants
//!
//! - **H1** The caller hands over what the program handed to the function of the same name.
//! - **H2** A record is found before the lock is acquired, so that a hold is not made longer than by one addition.

use core::ffi::{c_int, c_void};

use libc::{EBUSY, ENOSYS, EOWNERDEAD, ETIMEDOUT, clockid_t, pthread_mutex_t, timespec};
use locktoll_recording::layout::{CountRecord, EntryPoint};

use crate::clock;
use crate::index::Key;
use crate::ledger::Ledger;
use crate::real::{self, ConditionWait};
use crate::recorder::Recorder;
use crate::thread::add;
use crate::tls;

/// Whether `result` means that the caller holds the mutex.
fn is_acquired(result: c_int) -> bool {
    // A robust mutex whose owner died is acquired all the same: pthread_mutex_lock(3p).
    result == 0 || result == EOWNERDEAD
}

#[inline(always)]
fn key(mutex: *mut pthread_mutex_t, site: usize, entry: EntryPoint) -> Key {
    Key {
        lock: mutex as usize,
        site,
        entry,
    }
}

/// The calling thread's count for `key`, if this is not the first call.
#[inline(always)]
fn known(key: Key) -> Option<&'static CountRecord> {
    // SAFETY: null or a pointer set by `slots`, to memory that stays mapped.
    let thread = unsafe { tls::get().as_ref() }?;
    thread.count(key, &Recorder::get()?.addresses)
}

/// `pthread_mutex_lock`, called from `site`.
///
/// # Safety
/// H1.
pub unsafe extern "C" fn lock(mutex: *mut pthread_mutex_t, site: usize) -> c_int {
    let key = key(mutex, site, EntryPoint::Lock);
    // SAFETY: H1.
    if !unsafe { is_robust(mutex) }
        && let Some(count) = known(key)
        && let Some(trylock) = real::trylock()
    {
        // SAFETY: H1.
        let tried = unsafe { trylock(mutex) };
        if tried == 0 {
            add(&count.acquisitions, 1);
            return 0;
        }
        // SAFETY: H1.
        return unsafe { lock_after_try(mutex, site, tried) };
    }
    // SAFETY: H1.
    unsafe { lock_first_time(mutex, site) }
}

/// The first acquisition of a lock at a site, and every one while nothing is recorded.
#[cold]
#[inline(never)]
unsafe fn lock_first_time(mutex: *mut pthread_mutex_t, site: usize) -> c_int {
    let key = key(mutex, site, EntryPoint::Lock);
    let Some(ledger) = Ledger::open() else {
        // SAFETY: H1.
        return unsafe { real_lock(mutex) };
    };
    ledger.prepare(key);
    // SAFETY: H1.
    let tried = unsafe { attempt(mutex) };
    if tried == 0 {
        ledger.acquired(key);
        return 0;
    }
    // SAFETY: H1.
    unsafe { lock_after_try(mutex, site, tried) }
}

/// Goes on where trying the lock gave `tried`, which is not 0.
#[cold]
#[inline(never)]
unsafe fn lock_after_try(mutex: *mut pthread_mutex_t, site: usize, tried: c_int) -> c_int {
    let key = key(mutex, site, EntryPoint::Lock);
    // SAFETY: H1.
    unsafe { after_try(key, tried, || real_lock(mutex)) }
}

/// Goes on where trying the lock gave `tried`, which is not 0: waits by `acquire`, or lets it say what is wrong.
unsafe fn after_try(key: Key, tried: c_int, acquire: impl FnOnce() -> c_int) -> c_int {
    let Some(ledger) = Ledger::open() else {
        return if tried == EOWNERDEAD {
            tried
        } else {
            acquire()
        };
    };
    match tried {
        EOWNERDEAD => {
            ledger.acquired(key);
            tried
        }
        EBUSY => wait(&ledger, key, acquire),
        _ => {
            let result = acquire();
            if is_acquired(result) {
                ledger.acquired(key);
            }
            result
        }
    }
}

/// Waits by `acquire` and counts by its result.
fn wait(ledger: &Ledger, key: Key, acquire: impl FnOnce() -> c_int) -> c_int {
    ledger.prepare_wait(key);
    let since_ns = clock::monotonic_ns();
    ledger.begin_wait(key, since_ns);
    let result = acquire();
    let waited_ns = clock::monotonic_ns().saturating_sub(since_ns);
    ledger.end_wait();
    if is_acquired(result) {
        ledger.acquired_after_wait(key, waited_ns);
    } else if result == ETIMEDOUT {
        ledger.timed_out(key, waited_ns);
    }
    result
}

/// `pthread_mutex_trylock`, called from `site`.
///
/// # Safety
/// H1.
pub unsafe extern "C" fn trylock(mutex: *mut pthread_mutex_t, site: usize) -> c_int {
    let key = key(mutex, site, EntryPoint::TryLock);
    let count = known(key);
    // SAFETY: H1.
    let result = unsafe { real_trylock(mutex) };
    match count {
        Some(count) if is_acquired(result) => add(&count.acquisitions, 1),
        _ => trylock_noted(key, result),
    }
    result
}

#[cold]
fn trylock_noted(key: Key, result: c_int) {
    if let Some(ledger) = Ledger::open() {
        if is_acquired(result) {
            ledger.acquired(key);
        } else if result == EBUSY {
            ledger.try_failed(key);
        }
    }
}

/// `pthread_mutex_timedlock`, called from `site`.
///
/// # Safety
/// H1.
pub unsafe extern "C" fn timedlock(
    mutex: *mut pthread_mutex_t,
    deadline: *const timespec,
    site: usize,
) -> c_int {
    let acquire = || {
        if real::timedlock().is_none() {
            real::resolve();
        }
        // SAFETY: H1.
        real::timedlock().map_or(ENOSYS, |timedlock| unsafe { timedlock(mutex, deadline) })
    };
    let key = key(mutex, site, EntryPoint::TimedLock);
    // SAFETY: H1. A deadline need not be looked at where the mutex can be had at once: pthread_mutex_timedlock(3p).
    let tried = unsafe { attempt(mutex) };
    if tried == 0 {
        trylock_noted(key, 0);
        return 0;
    }
    // SAFETY: H1.
    unsafe { after_try(key, tried, acquire) }
}

/// `pthread_mutex_clocklock`, called from `site`.
///
/// # Safety
/// H1.
pub unsafe extern "C" fn clocklock(
    mutex: *mut pthread_mutex_t,
    clock: clockid_t,
    deadline: *const timespec,
    site: usize,
) -> c_int {
    let acquire = || {
        if real::clocklock().is_none() {
            real::resolve();
        }
        // SAFETY: H1.
        real::clocklock().map_or(ENOSYS, |clocklock| unsafe {
            clocklock(mutex, clock, deadline)
        })
    };
    let key = key(mutex, site, EntryPoint::TimedLock);
    // Unlike the deadline, the clock is looked at first, and a mutex that could be had is refused.
    if clock != libc::CLOCK_REALTIME && clock != libc::CLOCK_MONOTONIC {
        return acquire();
    }
    // SAFETY: H1.
    let tried = unsafe { attempt(mutex) };
    if tried == 0 {
        trylock_noted(key, 0);
        return 0;
    }
    // SAFETY: H1.
    unsafe { after_try(key, tried, acquire) }
}

/// Called before a wait for a condition: where the real function is.
pub extern "C" fn before_cond_wait() -> *const c_void {
    condition_function(ConditionWait::Wait)
}

/// As [`before_cond_wait`].
pub extern "C" fn before_cond_timedwait() -> *const c_void {
    condition_function(ConditionWait::TimedWait)
}

/// As [`before_cond_wait`].
pub extern "C" fn before_cond_clockwait() -> *const c_void {
    condition_function(ConditionWait::ClockWait)
}

fn condition_function(which: ConditionWait) -> *const c_void {
    let found = real::condition_wait(which);
    if found.is_null() {
        unavailable as *const c_void
    } else {
        found
    }
}

/// Stands in for a function that this C library does not have.
extern "C" fn unavailable() -> c_int {
    ENOSYS
}

/// Called after a wait for a condition that returned `result`, and not when the thread was cancelled in it.
pub extern "C" fn after_condition_wait(
    mutex: *mut pthread_mutex_t,
    site: usize,
    result: c_int,
) -> c_int {
    // With any other result the mutex was never released.
    if is_acquired(result) || result == ETIMEDOUT {
        let key = key(mutex, site, EntryPoint::ConditionWait);
        match known(key) {
            Some(count) => add(&count.acquisitions, 1),
            None => trylock_noted(key, 0),
        }
    }
    result
}

/// Whether the mutex is a robust one: pthread_mutexattr_setrobust(3p).
///
/// # Safety
/// H1.
#[inline(always)]
unsafe fn is_robust(mutex: *mut pthread_mutex_t) -> bool {
    /// Where the GNU C library keeps the kind of a mutex, and its bit for robust ones. Both are part of its binary
    /// interface, since static initialisers write them into programs.
    const KIND_OFFSET: usize = 16;
    const ROBUST: c_int = 16;
    // SAFETY: H1; every lock function reads this word first, as we do.
    let kind = unsafe { mutex.byte_add(KIND_OFFSET).cast::<c_int>().read_volatile() };
    kind & ROBUST != 0
}

/// Acquires the mutex if it can be had at once, and says `EBUSY` if not.
///
/// # Safety
/// H1.
unsafe fn attempt(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: H1.
    if !unsafe { is_robust(mutex) } {
        // SAFETY: H1.
        return unsafe { real_trylock(mutex) };
    }
    if real::timedlock().is_none() {
        real::resolve();
    }
    let passed = timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: H1.
    match real::timedlock().map_or(EBUSY, |timedlock| unsafe {
        timedlock(mutex, &raw const passed)
    }) {
        ETIMEDOUT => EBUSY,
        tried => tried,
    }
}

unsafe fn real_lock(mutex: *mut pthread_mutex_t) -> c_int {
    if real::lock().is_none() {
        real::resolve();
    }
    // Without the function we are inside the look-up of it, in the dynamic linker's first steps, where there is one
    // thread and nobody to exclude.
    // SAFETY: H1.
    real::lock().map_or(0, |lock| unsafe { lock(mutex) })
}

unsafe fn real_trylock(mutex: *mut pthread_mutex_t) -> c_int {
    if real::trylock().is_none() {
        real::resolve();
    }
    // SAFETY: H1. Otherwise as in `real_lock`.
    real::trylock().map_or(0, |trylock| unsafe { trylock(mutex) })
}
