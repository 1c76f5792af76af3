//! `locktoll_condition`: a [`Condition`] in the caller's memory. `include/locktoll.h` documents it for C programmers.
//!
//! # Invariants
//!
//! - **N1** A condition is 24 bytes at a multiple of 8, all zeros at the beginning, and changed only by these functions. This
//!   is a `Condition`, since a new one is all zeros.

use core::ffi::c_int;

use locktoll_waiting::Condition;

use super::moment::{ACQUIRED, deadline};
use crate::RawMutex;

#[cfg(target_pointer_width = "64")]
const _: () = {
    assert!(size_of::<Condition>() == 24 && align_of::<Condition>() == 8);
    // SAFETY: the same number of bytes, without padding: two words of four bytes and two pointers.
    let new: [u64; 3] = unsafe { core::mem::transmute(Condition::new()) };
    assert!(new[0] == 0 && new[1] == 0 && new[2] == 0, "N1");
};

/// Releases the mutex, waits for a signal, and acquires the mutex again.
///
/// # Safety
/// Both point to such objects (M1 of `mutex`, N1) that stay there during the call. The caller holds the mutex, and all threads
/// that wait for this condition at the same time name the same mutex.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_condition_wait(
    condition: *const Condition,
    mutex: *const RawMutex,
) {
    // SAFETY: N1, M1, and the caller's promise.
    unsafe { (*condition).wait(&*mutex, None) };
}

/// Does the same as [`locktoll_condition_wait`], but waits at most until the moment `at`. Returns `ETIMEDOUT` if that has
/// come, otherwise 0. Returns `EINVAL` at once, without releasing the mutex, if the clock or the moment is invalid.
///
/// # Safety
/// As for [`locktoll_condition_wait`], and `at` points to a `struct timespec`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_condition_clockwait(
    condition: *const Condition,
    mutex: *const RawMutex,
    clock: libc::clockid_t,
    at: *const libc::timespec,
) -> c_int {
    // SAFETY: the caller's promise.
    let deadline = match unsafe { deadline(clock, at) } {
        Ok(deadline) => deadline,
        Err(error) => return error,
    };
    // SAFETY: as above.
    if unsafe { (*condition).wait(&*mutex, Some(&deadline)) } {
        ACQUIRED
    } else {
        libc::ETIMEDOUT
    }
}

/// Wakes the thread that has waited longest, if there is one.
///
/// # Safety
/// `condition` points to a condition (N1) that stays there during the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_condition_signal(condition: *const Condition) {
    // SAFETY: N1.
    unsafe { &*condition }.signal();
}

/// Wakes all waiting threads.
///
/// # Safety
/// As for [`locktoll_condition_signal`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_condition_broadcast(condition: *const Condition) {
    // SAFETY: N1.
    unsafe { &*condition }.broadcast();
}

/// Waits until no thread touches the condition any longer, so that its memory can be freed.
///
/// # Safety
/// As for [`locktoll_condition_signal`]; and no thread begins to use the condition from now on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_condition_destroy(condition: *const Condition) {
    // SAFETY: N1.
    unsafe { &*condition }.retire();
}

/// To be called in the child of a fork, before it has a second thread. Forgets all waiters of the condition.
///
/// # Safety
/// As for [`locktoll_condition_signal`], and no other thread uses the condition.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn locktoll_condition_after_fork_in_child(condition: *mut Condition) {
    // SAFETY: N1; nothing to drop.
    unsafe { condition.write(Condition::new()) };
}
