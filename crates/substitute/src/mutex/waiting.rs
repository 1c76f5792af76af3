//! The actions of a condition variable on its mutex, for any kind of mutex, replaced or not.
//!
//! A recursive mutex is released once and acquired once, as in the C library: a thread that has acquired it twice waits while
//! it holds it.

use core::ffi::c_int;
use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;

use libc::pthread_mutex_t;

use super::kinds::{Kind, sort};
use super::object::MutexObject;
use crate::entries::{self, Entry};

/// Whether the lock leaves room for the number of waiters.
static COUNTS_WAITERS: AtomicBool = AtomicBool::new(false);

/// Sets whether it does.
pub fn count_waiters(counts: bool) {
    // Relaxed: stored before any name is redirected to this library.
    COUNTS_WAITERS.store(counts, Relaxed);
}

type OfMutex = unsafe extern "C" fn(*mut pthread_mutex_t) -> c_int;

/// Returns the function that the program's own calls go to: the chosen lock's, or the C library's.
fn function(entry: Entry) -> OfMutex {
    // SAFETY: E1.
    unsafe { core::mem::transmute(entries::place(entry)) }
}

/// Releases the mutex for a wait. Returns the result of pthread_mutex_unlock(3p). A waiting thread still counts as a user of
/// the mutex, so that it cannot be destroyed. Every call that returns 0 is followed by a call of [`lock_after_wait`].
///
/// # Safety
/// The program's own mutex, in one of the program's own calls for it.
pub unsafe fn unlock_for_wait(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    let object = unsafe { MutexObject::of(mutex) };
    let is_counted = is_counted(object);
    if is_counted {
        // This is done before the release: afterwards the mutex might be destroyed. Relaxed: a thread that asks has acquired
        // and released it since.
        object.waiting.fetch_add(1, Relaxed);
    }
    // SAFETY: the caller's promise.
    let answer = unsafe { function(Entry::MutexUnlock)(mutex) };
    if is_counted && answer != 0 {
        object.waiting.fetch_sub(1, Relaxed);
    }
    answer
}

/// Acquires the mutex after a wait. Returns the result of pthread_mutex_lock(3p).
///
/// # Safety
/// As for [`unlock_for_wait`].
pub unsafe fn lock_after_wait(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    let answer = unsafe { function(Entry::MutexLock)(mutex) };
    // SAFETY: as above.
    let object = unsafe { MutexObject::of(mutex) };
    if is_counted(object) {
        // A forked child has forgotten its waiters, and a signal handler in it may return into a wait: the count must not go
        // below zero.
        let _ = object
            .waiting
            .fetch_update(Relaxed, Relaxed, |waiting| waiting.checked_sub(1));
    }
    answer
}

/// Whether this library counts the threads that wait with this mutex. The mutex was held, so it has been settled if it is this
/// library's.
fn is_counted(object: &MutexObject) -> bool {
    // Relaxed: as above.
    COUNTS_WAITERS.load(Relaxed) && object.mark.is_used() && sort(object.kind()).0 != Kind::Passed
}
