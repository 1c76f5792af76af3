//! Releasing.

use core::ffi::c_int;

use libc::pthread_rwlock_t;
use locktoll_locks::RawRw;

use super::settled::ours;
use crate::real::rwlock as real;

/// pthread_rwlock_unlock(3p). The kind of hold that the caller has follows from who is inside, a writer or readers.
///
/// If nobody is inside, POSIX leaves the behaviour undefined; here the call returns `EPERM`, and nothing changes.
///
/// # Safety
/// The program's own lock.
pub unsafe extern "C" fn unlock(rwlock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: the caller's promise.
    let Some(object) = (unsafe { ours(rwlock) }) else {
        // SAFETY: as above.
        return unsafe { real::unlock(rwlock) };
    };
    // SAFETY: settled.
    let lock = unsafe { object.lock() };
    if lock.is_locked_exclusive() {
        // This is done before the release: afterwards the object may belong to another writer, or no longer exist.
        object.forget_writer();
    }
    // SAFETY: the caller gives up the hold that it has acquired.
    if unsafe { lock.unlock() } {
        0
    } else {
        libc::EPERM
    }
}
