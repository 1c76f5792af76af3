//! Signal and broadcast.

use core::ffi::c_int;
use core::ptr::from_ref;

use libc::pthread_cond_t;

use super::hidden;
use super::object::{ConditionObject, Kind};
use crate::real::real_function;
use crate::speed_up;

real_function! {
    real_signal = ConditionSignal(condition: *mut pthread_cond_t);
    real_broadcast = ConditionBroadcast(condition: *mut pthread_cond_t);
}

/// `pthread_cond_signal`, `cnd_signal`: both return 0 for success.
///
/// # Safety
/// The program's own condition.
pub unsafe extern "C" fn signal(condition: *mut pthread_cond_t) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { ConditionObject::at(condition) }.kind() {
        Kind::Ours(object) => {
            let condition = object.settled();
            speed_up::signalling(from_ref(condition).addr());
            condition.signal();
            0
        }
        Kind::Unsettled(_) => 0,
        // SAFETY: the C library's own object.
        Kind::BetweenProcesses => unsafe { hidden::tell(condition, real_signal) },
    }
}

/// `pthread_cond_broadcast`, `cnd_broadcast`.
///
/// # Safety
/// The program's own condition.
pub unsafe extern "C" fn broadcast(condition: *mut pthread_cond_t) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { ConditionObject::at(condition) }.kind() {
        Kind::Ours(object) => {
            let condition = object.settled();
            speed_up::signalling(from_ref(condition).addr());
            condition.broadcast();
            0
        }
        Kind::Unsettled(_) => 0,
        // SAFETY: the C library's own object.
        Kind::BetweenProcesses => unsafe { hidden::tell(condition, real_broadcast) },
    }
}
