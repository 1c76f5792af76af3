//! The functions behind the exported names of mutexes, if a lock replaces them.

use super::{c11, lifetime, only, plain, settled, timed, waiting};
use crate::entries::{self, Entry};
use crate::in_place::InPlace;

/// Redirects the names of mutexes to functions for `L`. The C library still initialises them.
pub fn replace_with<L: InPlace>(parameter: u32) {
    settled::set_parameter(parameter);
    waiting::count_waiters(!L::PLAIN_ONLY);
    if crate::only::is_on() {
        return only::replace_with::<L>();
    }
    // SAFETY: E1: each has the signature of its name.
    unsafe {
        entries::send(Entry::MutexLock, plain::lock::<L> as *mut _);
        entries::send(Entry::MutexTryLock, plain::try_lock::<L> as *mut _);
        entries::send(Entry::MutexTimedLock, timed::timed_lock::<L> as *mut _);
        entries::send(Entry::MutexClockLock, timed::clock_lock::<L> as *mut _);
        entries::send(Entry::MutexUnlock, plain::unlock::<L> as *mut _);
        entries::send(Entry::MutexDestroy, lifetime::destroy::<L> as *mut _);
        entries::send(Entry::MtxLock, c11::lock::<L> as *mut _);
        entries::send(Entry::MtxTryLock, c11::try_lock::<L> as *mut _);
        entries::send(Entry::MtxTimedLock, c11::timed_lock::<L> as *mut _);
        entries::send(Entry::MtxUnlock, c11::unlock::<L> as *mut _);
        entries::send(Entry::MtxDestroy, c11::destroy::<L> as *mut _);
    }
}
