//! The beginning and the end of a reader-writer lock.

use core::ffi::c_int;

use libc::{pthread_rwlock_t, pthread_rwlockattr_t};

use super::object::RwObject;
use crate::real::rwlock as real;
use crate::tally::{self, Object, Reason};

/// pthread_rwlock_init(3p): calls the C library's own function, which writes zeros, the kind and whether the lock is shared.
///
/// A lock can become process-shared only here. So process-shared locks are counted here, each when it is initialised.
///
/// # Safety
/// The program's own lock and attributes.
pub unsafe extern "C" fn init(
    rwlock: *mut pthread_rwlock_t,
    attributes: *const pthread_rwlockattr_t,
) -> c_int {
    // SAFETY: the caller's promise.
    let result = unsafe { real::init(rwlock, attributes) };
    // SAFETY: as above; it has been initialised.
    if result == 0 && unsafe { RwObject::of(rwlock) }.is_shared() {
        count_passed(Reason::ProcessShared);
    }
    result
}

/// Does the same if all locks are left to the C library.
///
/// # Safety
/// The program's own lock and attributes.
pub unsafe extern "C" fn init_left(
    rwlock: *mut pthread_rwlock_t,
    attributes: *const pthread_rwlockattr_t,
) -> c_int {
    // SAFETY: the caller's promise.
    let result = unsafe { real::init(rwlock, attributes) };
    if result == 0 {
        // SAFETY: as above; it has been initialised.
        let shared = unsafe { RwObject::of(rwlock) }.is_shared();
        count_passed(if shared {
            Reason::ProcessShared
        } else {
            Reason::NoRoom
        });
    }
    result
}

fn count_passed(reason: Reason) {
    tally::count_passed_through(Object::ReaderWriter, reason);
}

/// pthread_rwlock_destroy(3p): as in the C library, nothing is refused.
///
/// # Safety
/// The program's own lock.
pub unsafe extern "C" fn destroy(rwlock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: the caller's promise.
    let object = unsafe { RwObject::of(rwlock) };
    if object.is_shared() {
        // SAFETY: as above.
        return unsafe { real::destroy(rwlock) };
    }
    object.mark.clear();
    0
}
