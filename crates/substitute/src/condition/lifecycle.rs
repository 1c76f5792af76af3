//! The beginning and the end of a condition.

use core::ffi::{c_int, c_void};

use libc::{PTHREAD_PROCESS_SHARED, clockid_t, pthread_cond_t, pthread_condattr_t};
use locktoll_locks::DeadlineClock;

use super::object::{ConditionObject, Kind, clock_numbered};
use crate::passed;
use crate::real::real_function;
use crate::tally::{Object, Reason};

real_function! {
    real_init = ConditionInit(condition: *mut pthread_cond_t, attributes: *const pthread_condattr_t);
    real_destroy = ConditionDestroy(condition: *mut pthread_cond_t);
}

unsafe extern "C" {
    safe fn pthread_condattr_getclock(
        attributes: &pthread_condattr_t,
        clock: &mut clockid_t,
    ) -> c_int;
    safe fn pthread_condattr_getpshared(
        attributes: &pthread_condattr_t,
        shared: &mut c_int,
    ) -> c_int;
}

/// `pthread_cond_init`.
///
/// # Safety
/// The program's own condition, and attributes or null.
pub unsafe extern "C" fn init(
    condition: *mut pthread_cond_t,
    attributes: *const pthread_condattr_t,
) -> c_int {
    let (mut clock, mut shared) = (libc::CLOCK_REALTIME, 0);
    // SAFETY: the caller's promise.
    if let Some(attributes) = unsafe { attributes.as_ref() } {
        // Neither can fail.
        pthread_condattr_getclock(attributes, &mut clock);
        pthread_condattr_getpshared(attributes, &mut shared);
    }
    // SAFETY: the condition is being initialised, so it is the caller's alone; its previous life is over.
    unsafe { condition.write_bytes(0, 1) };
    if shared == PTHREAD_PROCESS_SHARED {
        passed::count(Object::Condition, Reason::ProcessShared, condition as usize);
        // SAFETY: the caller's promise.
        return unsafe { real_init(condition, attributes) };
    }
    // Attributes hold no other clock: setting another one is refused.
    let clock = clock_numbered(clock).unwrap_or(DeadlineClock::Realtime);
    // SAFETY: as above.
    unsafe { ConditionObject::at(condition).initialise(clock) };
    0
}

/// `pthread_cond_destroy`.
///
/// # Safety
/// The program's own condition.
pub unsafe extern "C" fn destroy(condition: *mut pthread_cond_t) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { ConditionObject::at(condition) }.kind() {
        Kind::Ours(object) | Kind::Unsettled(object) => {
            object.retire();
            0
        }
        // SAFETY: the C library's own object.
        Kind::BetweenProcesses => unsafe { real_destroy(condition) },
    }
}

/// `cnd_init`, which also returns 0 for success.
pub unsafe extern "C" fn init_c11(condition: *mut pthread_cond_t) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { init(condition, core::ptr::null()) }
}

/// `cnd_destroy`.
///
/// # Safety
/// The program's own condition.
pub unsafe extern "C" fn destroy_c11(condition: *mut c_void) {
    // SAFETY: the caller's promise.
    unsafe { destroy(condition.cast()) };
}
