//! The end of a mutex. The C library begins it: it writes zeros and the kind, and this library needs nothing more.

use core::ffi::c_int;
use core::sync::atomic::Ordering::Relaxed;

use libc::pthread_mutex_t;

use super::kinds::{Kind, sort};
use super::object::MutexObject;
use crate::in_place::InPlace;
use crate::real::mutex as real;

/// The kind of a mutex that has been destroyed.
const DESTROYED: u32 = u32::MAX;

/// pthread_mutex_destroy(3p).
///
/// # Safety
/// The program's own mutex.
pub unsafe extern "C" fn destroy<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    let object = unsafe { MutexObject::of(mutex) };
    if sort(object.kind()).0 == Kind::Passed || !object.mark.is_used() {
        // SAFETY: as above. If this library has not made it, it has no users that the C library does not know about.
        return unsafe { real::destroy(mutex) };
    }
    object.settle::<L>();
    // SAFETY: settled.
    let held = unsafe { object.lock::<L>() }.is_locked();
    // Relaxed: a program that destroys a mutex that others may begin to use cannot rely on any answer.
    if held || !L::PLAIN_ONLY && object.waiting.load(Relaxed) != 0 {
        return libc::EBUSY;
    }
    object.mark.clear();
    object.kind.store(DESTROYED, Relaxed);
    0
}
