//! `locktoll_mutex`: a [`RawMutex`] in the caller's memory. `include/locktoll.h` documents it for C programmers.
//!
//! # Invariants
//!
//! - **M1** A mutex is 16 bytes at a multiple of 8, all zeros at the beginning, and changed only by these functions. This is a
//!   `RawMutex`, since a new one is all zeros.

use core::ffi::c_int;

use super::moment::{ACQUIRED, deadline};
use crate::{RawMutex, TimedLock};

#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<RawMutex>() == 16 && align_of::<RawMutex>() == 8);
    // SAFETY: the same number of bytes, without padding: a word and a pointer.
    let new: [u64; 2] = unsafe { core::mem::transmute(RawMutex::new()) };
    assert!(new[0] == 0 && new[1] == 0, "M1");
};

/// Finds out how mutexes are released on this system. If it is not called, the first thread that has to wait does this:
/// [`prepare`](crate::prepare).
#[unsafe(no_mangle)]
pub extern "C" fn locktoll_prepare() {
    crate::prepare();
}

/// From now on, mutexes and conditions make no system call except futex(2):
/// [`wait_by_futex_alone`](crate::wait_by_futex_alone).
#[unsafe(no_mangle)]
pub extern "C" fn locktoll_wait_by_futex_alone() {
    crate::wait_by_futex_alone();
}

/// Waits until the mutex is acquired.
///
/// # Safety
/// `mutex` points to a mutex (M1) that stays there during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_mutex_lock(mutex: *const RawMutex) {
    // SAFETY: M1.
    unsafe { &*mutex }.lock();
}

/// Acquires the mutex if it is free. Returns 0 if it was, otherwise `EBUSY`.
///
/// # Safety
/// As for [`locktoll_mutex_lock`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_mutex_trylock(mutex: *const RawMutex) -> c_int {
    // SAFETY: M1.
    if unsafe { &*mutex }.try_lock() {
        ACQUIRED
    } else {
        libc::EBUSY
    }
}

/// Waits until the mutex is acquired (returns 0) or the moment has come (`ETIMEDOUT`). Returns `EINVAL` if the clock or the
/// moment is invalid.
///
/// # Safety
/// As for [`locktoll_mutex_lock`], and `at` points to a `struct timespec`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_mutex_clocklock(
    mutex: *const RawMutex,
    clock: libc::clockid_t,
    at: *const libc::timespec,
) -> c_int {
    // SAFETY: the caller's promise.
    let deadline = match unsafe { deadline(clock, at) } {
        Ok(deadline) => deadline,
        Err(error) => return error,
    };
    // SAFETY: M1.
    if TimedLock::try_lock_until(unsafe { &*mutex }, &deadline) {
        ACQUIRED
    } else {
        libc::ETIMEDOUT
    }
}

/// Releases the mutex.
///
/// # Safety
/// As for [`locktoll_mutex_lock`], and the mutex is held, by this thread or by one that leaves the release to this thread. The
/// thread that acquires it next may free it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_mutex_unlock(mutex: *const RawMutex) {
    // SAFETY: M1, and the caller's promise.
    unsafe { (*mutex).unlock() };
}

/// Whether a thread held the mutex a moment ago.
///
/// # Safety
/// As for [`locktoll_mutex_lock`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_mutex_is_locked(mutex: *const RawMutex) -> bool {
    // SAFETY: M1.
    unsafe { &*mutex }.is_locked()
}

/// To be called in the child of a fork, before it has a second thread. Forgets the waiters, which do not exist there.
///
/// # Safety
/// As for [`locktoll_mutex_lock`], and no other thread uses the mutex.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_mutex_after_fork_in_child(mutex: *const RawMutex) {
    // SAFETY: M1, and the caller's promise.
    unsafe { (*mutex).after_fork_in_child() };
}
