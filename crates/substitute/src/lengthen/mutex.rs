//! The C library's own mutexes, with longer holds.

use core::ffi::c_int;

use libc::{clockid_t, pthread_mutex_t, pthread_mutexattr_t, timespec};

use super::chosen::Noted;
use super::holds;
use crate::entries::{self, Entry};
use crate::only::with_site;
use crate::passed;
use crate::real::{mutex as real, real_function};
use crate::tally::{Object, Reason};

real_function! {
    c11_lock = MtxLock(mutex: *mut pthread_mutex_t);
    c11_try_lock = MtxTryLock(mutex: *mut pthread_mutex_t);
    c11_timed_lock = MtxTimedLock(mutex: *mut pthread_mutex_t, time: *const timespec);
    c11_unlock = MtxUnlock(mutex: *mut pthread_mutex_t);
    c11_destroy = MtxDestroy(mutex: *mut pthread_mutex_t);
}

/// Redirects the names of mutexes.
pub fn replace() {
    // SAFETY: E1: each has the signature of its name.
    unsafe {
        entries::send(Entry::MutexInit, init_from as *mut _);
        entries::send(Entry::MutexLock, lock_from as *mut _);
        entries::send(Entry::MutexTryLock, try_lock_from as *mut _);
        entries::send(Entry::MutexTimedLock, timed_lock_from as *mut _);
        entries::send(Entry::MutexClockLock, clock_lock_from as *mut _);
        entries::send(Entry::MutexUnlock, unlock as *mut _);
        entries::send(Entry::MutexDestroy, destroy as *mut _);
        entries::send(Entry::MtxInit, init_c11_from as *mut _);
        entries::send(Entry::MtxLock, lock_c11_from as *mut _);
        entries::send(Entry::MtxTryLock, try_lock_c11_from as *mut _);
        entries::send(Entry::MtxTimedLock, timed_lock_c11_from as *mut _);
        entries::send(Entry::MtxUnlock, unlock_c11 as *mut _);
        entries::send(Entry::MtxDestroy, destroy_c11 as *mut _);
    }
}

with_site!(init_from = init, behind 2);
with_site!(lock_from = lock, behind 1);
with_site!(try_lock_from = try_lock, behind 1);
with_site!(timed_lock_from = timed_lock, behind 2);
with_site!(clock_lock_from = clock_lock, behind 3);
with_site!(init_c11_from = init_c11, behind 2);
with_site!(lock_c11_from = lock_c11, behind 1);
with_site!(try_lock_c11_from = try_lock_c11, behind 1);
with_site!(timed_lock_c11_from = timed_lock_c11, behind 2);

/// The place of the kind in a mutex.
const KIND_AT: usize = 16;
/// The words of the list of robust mutexes, which mutexes of other kinds do not use.
const WORD_AT: usize = 24;
const RECURSIVE: u32 = 1;
const PROCESS_SHARED: u32 = 128;
/// Kinds whose list is in use, or whose holds the kernel has a part in, with the reason to leave them alone.
const LEFT: [(u32, Reason); 4] = [
    (16, Reason::Robust),
    (32, Reason::PriorityInheriting),
    (64, Reason::PriorityProtected),
    (PROCESS_SHARED, Reason::ProcessShared),
];

/// Returns the mutex's kind.
unsafe fn kind(mutex: *mut pthread_mutex_t) -> u32 {
    // SAFETY: the caller's own mutex: within it, and aligned; only its initialisation writes it.
    unsafe { mutex.byte_add(KIND_AT).cast::<u32>().read() }
}

/// Returns the reason to leave the mutex alone because of its kind.
fn reason(kind: u32) -> Option<Reason> {
    let found = LEFT.iter().find(|(bit, _)| kind & bit != 0);
    found.map(|(_, reason)| *reason)
}

/// Returns the place where the decision is noted; `None` for a mutex that is left alone because of its kind.
unsafe fn noted<'a>(mutex: *mut pthread_mutex_t) -> Option<Noted<'a>> {
    // SAFETY: the caller's promise.
    let kind = unsafe { kind(mutex) };
    if reason(kind).is_some() {
        return None;
    }
    // SAFETY: as above; the kind does not use the word.
    Some(unsafe { Noted::at(mutex.expose_provenance(), WORD_AT, Object::Mutex) })
}

/// Begins a hold if the mutex was acquired (`result`) and is chosen.
#[inline]
unsafe fn acquired(mutex: *mut pthread_mutex_t, result: c_int, site: usize) -> c_int {
    if result == 0
        // SAFETY: the caller's own mutex, which it holds.
        && let Some(noted) = unsafe { noted(mutex) }
        && noted.decide(site)
    {
        // SAFETY: as above.
        holds::begin(mutex.addr(), unsafe { kind(mutex) } & 3 == RECURSIVE);
    }
    result
}

/// Ends a hold of the calling thread if the mutex is chosen.
///
/// # Safety
/// The program's own mutex.
#[inline]
pub unsafe fn releasing(mutex: *mut pthread_mutex_t) {
    // SAFETY: the caller's promise.
    if unsafe { noted(mutex) }.is_some_and(Noted::is_chosen) {
        holds::end(mutex.addr());
    }
}

/// Begins a hold after a wait for a condition, whatever it returned: the mutex is held again.
///
/// # Safety
/// The program's own mutex, which the caller holds.
pub unsafe fn acquired_again(mutex: *mut pthread_mutex_t) {
    // SAFETY: the caller's promise.
    if unsafe { noted(mutex) }.is_some_and(Noted::is_chosen) {
        // SAFETY: as above.
        holds::begin(mutex.addr(), unsafe { kind(mutex) } & 3 == RECURSIVE);
    }
}

/// Decides about a mutex that has just been initialised.
unsafe fn initialised(mutex: *mut pthread_mutex_t, result: c_int, site: usize) -> c_int {
    if result == 0 {
        // SAFETY: the caller's promise.
        if let Some(reason) = reason(unsafe { kind(mutex) }) {
            passed::count(Object::Mutex, reason, mutex.addr());
        // SAFETY: as above.
        } else if let Some(noted) = unsafe { noted(mutex) } {
            noted.forget();
            noted.decide(site);
        }
    }
    result
}

unsafe extern "C" fn init(
    mutex: *mut pthread_mutex_t,
    attributes: *const pthread_mutexattr_t,
    site: usize,
) -> c_int {
    // SAFETY: the caller's promise, here and in all functions below.
    unsafe { initialised(mutex, real::init(mutex, attributes), site) }
}

unsafe extern "C" fn init_c11(mutex: *mut pthread_mutex_t, kind: c_int, site: usize) -> c_int {
    // SAFETY: as above.
    unsafe { initialised(mutex, real::c11_init(mutex, kind), site) }
}

/// Defines a function that acquires.
macro_rules! acquire {
    ($name:ident($($argument:ident: $type:ty),*) = $real:path) => {
        unsafe extern "C" fn $name(mutex: *mut pthread_mutex_t, $($argument: $type,)* site: usize) -> c_int {
            // SAFETY: the caller's promise.
            unsafe { acquired(mutex, $real(mutex, $($argument),*), site) }
        }
    };
}

acquire!(lock() = real::lock);
acquire!(try_lock() = real::try_lock);
acquire!(timed_lock(time: *const timespec) = real::timed_lock);
acquire!(clock_lock(clock: clockid_t, time: *const timespec) = real::clock_lock);
acquire!(lock_c11() = c11_lock);
acquire!(try_lock_c11() = c11_try_lock);
acquire!(timed_lock_c11(time: *const timespec) = c11_timed_lock);

unsafe extern "C" fn unlock(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        releasing(mutex);
        real::unlock(mutex)
    }
}

unsafe extern "C" fn unlock_c11(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        releasing(mutex);
        c11_unlock(mutex)
    }
}

unsafe extern "C" fn destroy(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise: no thread uses it any more. Looked up before, since the kind is gone afterwards.
    unsafe {
        let noted = noted(mutex);
        let result = real::destroy(mutex);
        if let (0, Some(noted)) = (result, noted) {
            noted.forget();
        }
        result
    }
}

unsafe extern "C" fn destroy_c11(mutex: *mut pthread_mutex_t) {
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(noted) = noted(mutex) {
            noted.forget();
        }
        c11_destroy(mutex);
    }
}
