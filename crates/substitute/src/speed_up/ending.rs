//! The last payment of a thread: by the destructor of a key (pthread_key_create(3p)).
//!
//! A thread that did not pay at its end would be too early for the thread that waits for its end.

use core::ffi::c_void;
use core::ptr::without_provenance;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use super::account;

/// Values of keys above this allocate memory in the C library.
const WITHOUT_ALLOCATION: u32 = 32;

/// The key's number plus one; 0: none.
static KEY: AtomicU32 = AtomicU32::new(0);

/// Makes the key.
pub fn start() {
    let mut key = 0;
    // Relaxed: a number. If two threads start at once, one key is never used.
    // SAFETY: an own variable.
    if KEY.load(Relaxed) == 0 && unsafe { libc::pthread_key_create(&raw mut key, Some(end)) } == 0 {
        KEY.store(key + 1, Relaxed);
    }
}

/// Has the end of the calling thread noticed.
pub fn notice() {
    match KEY.load(Relaxed) {
        0 => {}
        key if key > WITHOUT_ALLOCATION => {}
        key => {
            let value: *const c_void = without_provenance(1);
            // SAFETY: a key that exists.
            unsafe { libc::pthread_setspecific(key - 1, value) };
        }
    }
}

unsafe extern "C" fn end(_: *mut c_void) {
    account::close();
}
