//! Hooks around `sem_post`.
//!
//! A semaphore is a lock if the thread that took a unit returns it, and a signal if another thread does. The counts of
//! `Release` and `Post` show which it is.

use core::ffi::c_int;

use libc::sem_t;
use locktoll_recording::layout::EntryPoint;

use super::call::Call;
use super::semaphore::{call, word};
use crate::ledger::{Ledger, Release};
use crate::real;
use crate::tally::add;
use crate::timeline;

/// The offset at which the GNU C library counts waiting threads.
const WAITERS: usize = 4;

/// Handles `sem_post`, called from `site`. A signal handler that interrupted anything may call it.
pub unsafe extern "C" fn post(semaphore: *mut sem_t, site: usize) -> c_int {
    let call = call(semaphore, site, EntryPoint::Release);
    // SAFETY: H1.
    let waited_for = unsafe { word(semaphore, WAITERS) } != 0;
    if !waited_for
        // SAFETY: H1.
        && let Some((thread, count)) = unsafe { call.known() }
        && thread.held.pop_untimed(call.lock)
    {
        add(&count.acquisitions, 1);
        // SAFETY: H1.
        return unsafe { real_post(semaphore) };
    }
    // SAFETY: H1.
    unsafe { post_noted(call, semaphore, waited_for) }
}

/// Notes the end of a hold that is timed or waited for, or a signal.
#[cold]
#[inline(never)]
unsafe fn post_noted(mut call: Call, semaphore: *mut sem_t, waited_for: bool) -> c_int {
    let Some(ledger) = Ledger::open() else {
        // SAFETY: H1.
        return unsafe { real_post(semaphore) };
    };
    let release = ledger
        .own
        .and_then(|thread| Release::begin(thread, call.lock, waited_for));
    let released = release.as_ref().and_then(|release| release.released);
    if released.is_none() {
        call.entry = EntryPoint::Post;
    }
    // The thread that this wakes may destroy the semaphore, so everything in it is read now.
    // SAFETY: H1.
    let key = unsafe { call.key(&ledger) };
    ledger.prepare(key);
    if released.is_none() {
        timeline::signalled(ledger.own, ledger.recorder, &key);
    }
    // SAFETY: H1.
    let result = unsafe { real_post(semaphore) };
    if result == 0 {
        ledger.counted(key);
    }
    if let Some(release) = release {
        release.finish();
    }
    result
}

unsafe fn real_post(semaphore: *mut sem_t) -> c_int {
    // SAFETY: H1. If the function is missing, this call comes from the look-up of it.
    real::SEM_POST
        .get()
        .map_or(0, |post| unsafe { post(semaphore) })
}
