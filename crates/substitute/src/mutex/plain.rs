//! The settled plain mutex: one comparison, and then the lock.

use core::ffi::c_int;

use libc::pthread_mutex_t;

use super::kinds;
use super::object::MutexObject;
use crate::in_place::InPlace;

/// pthread_mutex_lock(3p).
///
/// # Safety
/// The program's own mutex.
pub unsafe extern "C" fn lock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    let object = unsafe { MutexObject::of(mutex) };
    if object.is_plain_and_settled() {
        // SAFETY: settled.
        unsafe { object.lock::<L>() }.lock();
        return 0;
    }
    // SAFETY: the caller's promise.
    unsafe { kinds::lock::<L>(mutex) }
}

/// pthread_mutex_trylock(3p).
///
/// # Safety
/// The program's own mutex.
pub unsafe extern "C" fn try_lock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    let object = unsafe { MutexObject::of(mutex) };
    if object.is_plain_and_settled() {
        // SAFETY: settled.
        let acquired = unsafe { object.lock::<L>() }.try_lock();
        return if acquired { 0 } else { libc::EBUSY };
    }
    // SAFETY: the caller's promise.
    unsafe { kinds::try_lock::<L>(mutex) }
}

/// pthread_mutex_unlock(3p).
///
/// # Safety
/// The program's own mutex.
pub unsafe extern "C" fn unlock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    let object = unsafe { MutexObject::of(mutex) };
    if object.is_plain_and_settled() {
        // SAFETY: settled.
        unsafe { object.release::<L>() };
        return 0;
    }
    // SAFETY: the caller's promise.
    unsafe { kinds::unlock::<L>(mutex) }
}
