//! The end of a mutex. Its beginning is the C library's: it writes zeros and the kind, and this library needs no
//! more.

use core::ffi::c_int;
use core::sync::atomic::Ordering::Relaxed;

use libc::pthread_mutex_t;

use super::kinds::{Kind, sort};
use super::object::MutexObject;
use crate::in_place::InPlace;
use crate::real::mutex as real;

/// The kind of a mutex that is no more.
const DESTROYED: u32 = u32::MAX;

/// pthread_mutex_destroy(3p).
///
/// # Safety
/// The program's own mutex.
pub unsafe extern "C" fn destroy<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    let object = unsafe { MutexObject::of(mutex) };
    if sort(object.kind()).0 == Kind::Passed || !object.mark.is_used() {
        // SAFETY: as above. What we have not made has no users that the C library would not know.
        return unsafe { real::destroy(mutex) };
    }
    object.settle::<L>();
    // SAFETY: settled.
    let held = unsafe { object.lock::<L>() }.is_locked();
    // Relaxed: a program that destroys what others may begin to use has no answer to rely on.
    if held || !L::PLAIN_ONLY && object.waiting.load(Relaxed) != 0 {
        return libc::EBUSY;
    }
    object.mark.clear();
    object.kind.store(DESTROYED, Relaxed);
    0
}
