//! Acquiring a mutex with the function that waits.

use core::ffi::c_int;
use core::sync::atomic::Ordering::Relaxed;

use libc::{EBUSY, EOWNERDEAD, ETIMEDOUT, pthread_mutex_t};
use locktoll_recording::layout::{CountRecord, EntryPoint, LockKind};

use super::attempt::attempt;
use super::object::{OWNER, word};
use super::plain;
use crate::clock;
use crate::hooks::is_acquired;
use crate::identity;
use crate::index::Key;
use crate::ledger::{Ledger, acquired};
use crate::real;
use crate::recorder::Recorder;
use crate::sites;
use crate::thread::Thread;
use crate::tls;
use crate::wait::Wait;
use crate::waited::End;

/// Returns the calling thread, and its count for `mutex`, unless this is the first call or the kind of mutex is not marked.
#[inline(always)]
pub unsafe fn known(
    mutex: *mut pthread_mutex_t,
    site: usize,
    entry: EntryPoint,
) -> Option<(&'static Thread, &'static CountRecord)> {
    // SAFETY: null or a pointer set by `attachment`, to memory that stays mapped.
    let thread = unsafe { tls::get().as_ref() }?;
    let key = Key {
        lock: mutex as usize,
        // SAFETY: H1.
        generation: unsafe { identity::mutex_generation(mutex as usize) }?,
        site,
        entry,
        kind: LockKind::Mutex,
        birth: 0,
        other: 0,
    };
    let count = thread.count(key, &Recorder::get()?.addresses)?;
    Some((thread, count))
}

/// Returns the key of the records of a call on `mutex`.
pub unsafe fn key(
    ledger: &Ledger,
    mutex: *mut pthread_mutex_t,
    site: usize,
    entry: EntryPoint,
) -> Key {
    // SAFETY: H1.
    unsafe { ledger.key(LockKind::Mutex, mutex as usize, site, entry) }
}

pub unsafe extern "C" fn lock(mutex: *mut pthread_mutex_t, site: usize) -> c_int {
    // SAFETY: null or a pointer set by `attachment`, to memory that stays mapped.
    if let Some(thread) = unsafe { tls::get().as_ref() }
        // SAFETY: H1.
        && unsafe { plain::is_plain(mutex) }
        && let Some(count) = {
            // SAFETY: H1.
            let generation = unsafe { identity::mark_of_mutex(mutex as usize) };
            thread
                .recent
                .find(mutex as usize, generation, site, sites::epoch())
        }
    {
        // Relaxed: it is the thread's own, and was set when the thread began.
        let tid = thread.tid.load(Relaxed);
        // SAFETY: only counts of plain mutexes that are understood (W1) are remembered.
        if unsafe { plain::acquire(mutex, tid) } {
            acquired(thread, count);
            return 0;
        }
        // SAFETY: H1.
        return unsafe { lock_after_try(mutex, site, EBUSY) };
    }
    // SAFETY: H1.
    unsafe { lock_known(mutex, site) }
}

/// Acquires a mutex whose count was not used recently, or that only the C library's functions can handle.
#[inline(never)]
unsafe fn lock_known(mutex: *mut pthread_mutex_t, site: usize) -> c_int {
    // SAFETY: H1. Robust mutexes are not known here.
    if let Some((thread, count)) = unsafe { known(mutex, site, EntryPoint::Lock) }
        && let Some(trylock) = real::MUTEX_TRYLOCK.known()
    {
        // SAFETY: H1.
        let tried = if unsafe { plain::is_plain(mutex) } && plain::is_understood() {
            thread
                .recent
                .note(mutex as usize, site, count, sites::epoch());
            // SAFETY: H1, and W1.
            match unsafe { plain::acquire(mutex, thread.tid.load(Relaxed)) } {
                true => 0,
                false => EBUSY,
            }
        } else {
            // SAFETY: H1.
            unsafe { trylock(mutex) }
        };
        if tried == 0 {
            acquired(thread, count);
            return 0;
        }
        // SAFETY: H1.
        return unsafe { lock_after_try(mutex, site, tried) };
    }
    // SAFETY: H1.
    unsafe { lock_first_time(mutex, site) }
}

/// Handles the first acquisition of a lock at a site, and every acquisition while nothing is recorded.
#[cold]
#[inline(never)]
unsafe fn lock_first_time(mutex: *mut pthread_mutex_t, site: usize) -> c_int {
    let Some(ledger) = Ledger::open() else {
        // SAFETY: H1.
        return unsafe { real_lock(mutex) };
    };
    // SAFETY: H1.
    let key = unsafe { key(&ledger, mutex, site, EntryPoint::Lock) };
    ledger.prepare(key);
    // SAFETY: H1.
    let tried = unsafe { attempt(mutex) };
    if tried == 0 {
        ledger.acquired(key);
        return 0;
    }
    // SAFETY: H1.
    unsafe { after_try(mutex, site, EntryPoint::Lock, tried, || real_lock(mutex)) }
}

/// Continues after an attempt returned `tried`, which is not 0.
#[cold]
#[inline(never)]
unsafe fn lock_after_try(mutex: *mut pthread_mutex_t, site: usize, tried: c_int) -> c_int {
    // SAFETY: H1.
    unsafe { after_try(mutex, site, EntryPoint::Lock, tried, || real_lock(mutex)) }
}

/// Continues after an attempt returned `tried`, which is not 0: waits by `acquire`, or lets `acquire` report the error.
pub unsafe fn after_try(
    mutex: *mut pthread_mutex_t,
    site: usize,
    entry: EntryPoint,
    tried: c_int,
    acquire: impl FnOnce() -> c_int,
) -> c_int {
    // The clock is read before all else: the thread is already waiting.
    let since_ns = clock::monotonic_ns();
    let Some(ledger) = Ledger::open() else {
        return if tried == EOWNERDEAD {
            tried
        } else {
            acquire()
        };
    };
    // SAFETY: H1.
    let key = unsafe { key(&ledger, mutex, site, entry) };
    match tried {
        EOWNERDEAD => {
            ledger.acquired(key);
            tried
        }
        EBUSY => {
            // SAFETY: H1.
            let owner = unsafe { word(mutex, OWNER) };
            let wait = Wait::for_lock(&ledger, key, Some(owner), since_ns);
            let result = acquire();
            let end = match result {
                ETIMEDOUT => End::TimedOut,
                _ if is_acquired(result) => End::Done,
                _ => End::Failed,
            };
            // The ledger is opened again: meanwhile the process may have given up system calls, or this may be the child of a
            // fork that a signal handler made.
            if let Some(ledger) = Ledger::open() {
                match end {
                    End::Done => wait.end_with_lock(&ledger),
                    _ => drop(wait.end(&ledger, end)),
                }
            }
            result
        }
        _ => {
            let result = acquire();
            if is_acquired(result) {
                ledger.acquired(key);
            }
            result
        }
    }
}

unsafe fn real_lock(mutex: *mut pthread_mutex_t) -> c_int {
    // Without the function, this call comes from the look-up of it, in the dynamic linker's first steps. Then there is only
    // one thread, and nobody to exclude.
    // SAFETY: H1.
    real::MUTEX_LOCK
        .get()
        .map_or(0, |lock| unsafe { lock(mutex) })
}
