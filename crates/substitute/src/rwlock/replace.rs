//! The functions behind the exported names of reader-writer locks.

use super::{lifetime, read, release, write};
use crate::entries::{self, Entry};

/// Redirects the names of reader-writer locks to these functions.
pub fn replace() {
    // SAFETY: E1: each has the signature of its name.
    unsafe {
        entries::send(Entry::RwReadLock, read::lock as *mut _);
        entries::send(Entry::RwTryReadLock, read::try_lock as *mut _);
        entries::send(Entry::RwTimedReadLock, read::timed_lock as *mut _);
        entries::send(Entry::RwClockReadLock, read::clock_lock as *mut _);
        entries::send(Entry::RwWriteLock, write::lock as *mut _);
        entries::send(Entry::RwTryWriteLock, write::try_lock as *mut _);
        entries::send(Entry::RwTimedWriteLock, write::timed_lock as *mut _);
        entries::send(Entry::RwClockWriteLock, write::clock_lock as *mut _);
        entries::send(Entry::RwUnlock, release::unlock as *mut _);
        entries::send(Entry::RwInit, lifetime::init as *mut _);
        entries::send(Entry::RwDestroy, lifetime::destroy as *mut _);
    }
}

/// Leaves reader-writer locks to the C library, and counts those that are initialised by a call.
pub fn leave() {
    // SAFETY: E1, as above.
    unsafe { entries::send(Entry::RwInit, lifetime::init_left as *mut _) };
}
