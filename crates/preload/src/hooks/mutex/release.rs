//! Releasing a mutex.

use core::ffi::c_int;

use libc::pthread_mutex_t;

use super::object::{WORD, word};
use crate::ledger::Release;
use crate::real;
use crate::thread::Thread;
use crate::timeline;
use crate::tls;

#[inline(always)]
pub unsafe fn unlock(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: null or a pointer set by `attachment`, to memory that stays mapped.
    if let Some(thread) = unsafe { tls::get().as_ref() } {
        // If somebody may be waiting, the real function makes a system call, so there is time to look.
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

/// Ends a hold that is timed or waited for, or the hold of a lock that was not acquired last.
#[cold]
#[inline(never)]
unsafe fn unlock_noted(thread: &'static Thread, mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: H1.
    let waited_for = unsafe { is_released_to_somebody(mutex) };
    if !waited_for && timeline::ends(thread, mutex as usize) {
        // SAFETY: H1.
        return real::MUTEX_UNLOCK
            .get()
            .map_or(0, |unlock| unsafe { unlock(mutex) });
    }
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

/// Whether the release of `mutex` by its holder admits a waiter.
pub unsafe fn is_released_to_somebody(mutex: *mut pthread_mutex_t) -> bool {
    /// The bits for protocols. With one of them, the word is a thread id with a bit for waiters (futex(2), `FUTEX_WAITERS`).
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
