//! The plain mutex: locked and unlocked by whoever comes.

use core::ffi::c_int;
use core::sync::atomic::Ordering::{Acquire, Release};

use libc::pthread_mutex_t;

use super::object::MutexObject;
use crate::entries::{self, Entry};
use crate::in_place::InPlace;

const READY: u64 = 0x6c74_0000_0000_0000 >> 16 << 16;

/// Sends the names of mutexes to these functions.
pub fn replace_with<L: InPlace>(_parameter: u32) {
    // SAFETY: E1.
    unsafe {
        entries::send(Entry::MutexLock, lock::<L> as *mut _);
        entries::send(Entry::MutexTryLock, try_lock::<L> as *mut _);
        entries::send(Entry::MutexUnlock, unlock::<L> as *mut _);
    }
}

/// The lock in an object, made if this is its first use.
#[inline(always)]
unsafe fn lock_of<'a, L: InPlace>(mutex: *mut pthread_mutex_t) -> &'a L {
    // SAFETY: the program's own mutex.
    let object = unsafe { &*mutex.cast::<MutexObject>() };
    // Acquire: pairs with the release below, to see the lock made.
    if object.kind_and_mark.load(Acquire) != READY {
        let room = object.room.as_ptr().cast_mut().cast::<L>();
        // SAFETY: a sketch: one thread at a time.
        unsafe { room.write(L::with_parameter(0)) };
        object.kind_and_mark.store(READY, Release);
    }
    // SAFETY: made above, or by whoever stored the mark.
    unsafe { &*object.room.as_ptr().cast::<L>() }
}

unsafe extern "C" fn lock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the program's own mutex.
    unsafe { lock_of::<L>(mutex) }.lock();
    0
}

unsafe extern "C" fn try_lock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the program's own mutex.
    if unsafe { lock_of::<L>(mutex) }.try_lock() {
        0
    } else {
        libc::EBUSY
    }
}

unsafe extern "C" fn unlock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: held by the caller.
    unsafe { lock_of::<L>(mutex).unlock() };
    0
}
