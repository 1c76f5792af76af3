//! Around the functions of mutexes.
//!
//! Robust mutexes are tried in another way than others, by a deadline that has passed. The GNU C library's trylock leaves
//! a mutex that cannot be recovered locked by the caller while it says `ENOTRECOVERABLE` (seen in 2.36), and the real
//! lock function would then wait for its own caller. Mutexes with a priority ceiling are not tried at all: the attempt
//! changes the thread's priority, and what the lock function says then (seen in 2.36). Their word tells whether they are
//! taken.

use core::ffi::c_int;

use libc::{
    EAGAIN, EBUSY, ENOSYS, EOWNERDEAD, ETIMEDOUT, clockid_t, pthread_mutex_t, pthread_mutexattr_t,
    timespec,
};
use locktoll_recording::layout::{CountRecord, EntryPoint, LockKind};

use super::is_acquired;
use crate::identity;
use crate::index::Key;
use crate::ledger::{Ledger, Release, acquired};
use crate::real;
use crate::recorder::Recorder;
use crate::thread::Thread;
use crate::tls;
use crate::wait::{End, Wait};

/// Where the GNU C library keeps its futex word: 0 free, 1 taken, more if somebody may be waiting. Part of its binary
/// interface in so far as static initialisers write it.
const WORD: usize = 0;
/// The bits of the word that are the ceiling of a mutex that has one.
const CEILING_BITS: u32 = 0xfff8_0000;
/// Where it keeps the owner's thread id.
const OWNER: usize = 8;

/// The calling thread, and its count for `mutex`, unless this is the first call or the kind is one that is not marked.
///
/// # Safety
/// H1.
#[inline(always)]
unsafe fn known(
    mutex: *mut pthread_mutex_t,
    site: usize,
    entry: EntryPoint,
) -> Option<(&'static Thread, &'static CountRecord)> {
    // SAFETY: null or a pointer set by `slots`, to memory that stays mapped.
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

/// What the records of a call on `mutex` are found by.
///
/// # Safety
/// H1.
unsafe fn key(ledger: &Ledger, mutex: *mut pthread_mutex_t, site: usize, entry: EntryPoint) -> Key {
    // SAFETY: H1.
    unsafe { ledger.key(LockKind::Mutex, mutex as usize, site, entry) }
}

/// `pthread_mutex_lock`, called from `site`.
///
/// # Safety
/// H1.
pub unsafe extern "C" fn lock(mutex: *mut pthread_mutex_t, site: usize) -> c_int {
    // SAFETY: H1. Robust mutexes are not known here.
    if let Some((thread, count)) = unsafe { known(mutex, site, EntryPoint::Lock) }
        && let Some(trylock) = real::MUTEX_TRYLOCK.known()
    {
        // SAFETY: H1.
        let tried = unsafe { trylock(mutex) };
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

/// The first acquisition of a lock at a site, and every one while nothing is recorded.
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

/// Goes on where trying the lock gave `tried`, which is not 0.
#[cold]
#[inline(never)]
unsafe fn lock_after_try(mutex: *mut pthread_mutex_t, site: usize, tried: c_int) -> c_int {
    // SAFETY: H1.
    unsafe { after_try(mutex, site, EntryPoint::Lock, tried, || real_lock(mutex)) }
}

/// Goes on where trying the lock gave `tried`, which is not 0: waits by `acquire`, or lets it say what is wrong.
///
/// # Safety
/// H1.
unsafe fn after_try(
    mutex: *mut pthread_mutex_t,
    site: usize,
    entry: EntryPoint,
    tried: c_int,
    acquire: impl FnOnce() -> c_int,
) -> c_int {
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
            let wait = Wait::for_lock(&ledger, key, Some(owner));
            let result = acquire();
            let end = match result {
                ETIMEDOUT => End::TimedOut,
                _ if is_acquired(result) => End::Done,
                _ => End::Failed,
            };
            // Opened again: meanwhile the process may have given up system calls, or this may be the child of a fork that a
            // signal handler made.
            if let Some(ledger) = Ledger::open() {
                wait.end(&ledger, end);
                if end == End::Done {
                    ledger.acquired(key);
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

/// `pthread_mutex_trylock`, called from `site`.
///
/// # Safety
/// H1.
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

/// Enters what an attempt came to.
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

/// `pthread_mutex_timedlock`, called from `site`.
///
/// # Safety
/// H1.
pub unsafe extern "C" fn timedlock(
    mutex: *mut pthread_mutex_t,
    deadline: *const timespec,
    site: usize,
) -> c_int {
    // A deadline need not be looked at where the mutex can be had at once: pthread_mutex_timedlock(3p).
    // SAFETY: H1.
    unsafe {
        with_deadline(mutex, site, || {
            real::MUTEX_TIMEDLOCK
                .get()
                .map_or(ENOSYS, |timedlock| timedlock(mutex, deadline))
        })
    }
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
        // SAFETY: H1.
        real::MUTEX_CLOCKLOCK
            .get()
            .map_or(ENOSYS, |clocklock| unsafe {
                clocklock(mutex, clock, deadline)
            })
    };
    // Unlike the deadline, the clock is looked at first, and a mutex that could be had is refused.
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

/// `pthread_mutex_unlock`.
///
/// # Safety
/// H1.
#[inline(always)]
pub unsafe fn unlock(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: as in `known`.
    if let Some(thread) = unsafe { tls::get().as_ref() } {
        // Somebody may be waiting: then the real function makes a system call, and we have time to look.
        // SAFETY: H1.
        let waited_for = unsafe { word(mutex, WORD) } > 1;
        if waited_for || !thread.held.pop_untimed(mutex as usize) {
            // SAFETY: H1.
            return unsafe { unlock_noted(thread, mutex) };
        }
    }
    // SAFETY: H1.
    real::MUTEX_UNLOCK
        .get()
        .map_or(0, |unlock| unsafe { unlock(mutex) })
}

/// The end of a hold that is timed or waited for, or of a lock that was not acquired last.
#[cold]
#[inline(never)]
unsafe fn unlock_noted(thread: &'static Thread, mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: H1.
    let waited_for = unsafe { is_released_to_somebody(mutex) };
    let release = Release::begin(thread, mutex as usize, waited_for);
    // SAFETY: H1.
    let result = real::MUTEX_UNLOCK
        .get()
        .map_or(0, |unlock| unsafe { unlock(mutex) });
    if let Some(release) = release {
        release.finish();
    }
    result
}

/// Whether the release of `mutex` by its holder lets in somebody who waits.
///
/// # Safety
/// H1.
pub unsafe fn is_released_to_somebody(mutex: *mut pthread_mutex_t) -> bool {
    /// The bits for protocols: the word is then a thread id, with a bit for waiters (futex(2), `FUTEX_WAITERS`).
    const NOT_PLAIN: u32 = 16 | 32 | 64;
    const KIND: usize = 16;
    const RECURSIVE: u32 = 1;
    const COUNT: usize = 4;
    // SAFETY: H1.
    let (state, kind, count) =
        unsafe { (word(mutex, WORD), word(mutex, KIND), word(mutex, COUNT)) };
    if kind & 3 == RECURSIVE && count > 1 {
        return false;
    }
    match kind & NOT_PLAIN {
        0 => state > 1,
        _ => state & libc::FUTEX_WAITERS != 0,
    }
}

/// `pthread_mutex_init`, called from `site`.
///
/// # Safety
/// H1.
pub unsafe extern "C" fn init(
    mutex: *mut pthread_mutex_t,
    attributes: *const pthread_mutexattr_t,
    site: usize,
) -> c_int {
    // SAFETY: H1.
    let result = real::MUTEX_INIT
        .get()
        .map_or(0, |init| unsafe { init(mutex, attributes) });
    if result == 0
        && let Some(ledger) = Ledger::open()
    {
        // SAFETY: H1.
        unsafe { ledger.initialised(LockKind::Mutex, mutex as usize, site) };
    }
    result
}

/// A word of the mutex, as the C library has it.
///
/// # Safety
/// H1, and `offset` is that of an aligned word in the mutex.
#[inline(always)]
unsafe fn word(mutex: *mut pthread_mutex_t, offset: usize) -> u32 {
    // SAFETY: the caller's promise. Others may change it meanwhile: it is read as they write it, at once.
    unsafe { mutex.byte_add(offset).cast::<u32>().read_volatile() }
}

/// Acquires the mutex if it can be had at once, and says `EBUSY` if not, or something else if the real function has to be
/// asked.
///
/// # Safety
/// H1.
unsafe fn attempt(mutex: *mut pthread_mutex_t) -> c_int {
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

unsafe fn real_lock(mutex: *mut pthread_mutex_t) -> c_int {
    // Without the function we are inside the look-up of it, in the dynamic linker's first steps, where there is one
    // thread and nobody to exclude.
    // SAFETY: H1.
    real::MUTEX_LOCK
        .get()
        .map_or(0, |lock| unsafe { lock(mutex) })
}

unsafe fn real_trylock(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: H1. Otherwise as in `real_lock`.
    real::MUTEX_TRYLOCK
        .get()
        .map_or(0, |trylock| unsafe { trylock(mutex) })
}
