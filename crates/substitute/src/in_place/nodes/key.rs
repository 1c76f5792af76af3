//! Notices the end of a thread, with the destructor of a key of pthread_key_create(3).
//!
//! The C library has room for the values of its first [`ROOM_IN_THREAD`] keys in each thread; for later ones it allocates,
//! which this library must not do. The library is started by the first lock that the process takes, when hardly any key has
//! been made. If none of the first keys is left, or no key at all, no thread keeps nodes: all use the pool, which costs two
//! more exchanges per acquisition.
//!
//! Destructors run in rounds, and those of other keys may use locks after the destructor of this key. Then the nodes come from
//! the pool and return to it.

use core::ffi::c_void;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use libc::pthread_key_t;

use super::cache;

/// `PTHREAD_KEY_2NDLEVEL_SIZE` of glibc.
const ROOM_IN_THREAD: pthread_key_t = 32;

/// No key has been made.
const NONE: u32 = u32::MAX;

static KEY: AtomicU32 = AtomicU32::new(NONE);

/// Makes the key, unless there is one.
pub fn prepare() {
    // Relaxed throughout: only a number.
    if KEY.load(Relaxed) != NONE {
        return;
    }
    let mut key = 0;
    // SAFETY: a place for the key, and a destructor that may be called in any thread.
    if unsafe { libc::pthread_key_create(&raw mut key, Some(end_of_thread)) } != 0 {
        return;
    }
    let is_wanted =
        key < ROOM_IN_THREAD && KEY.compare_exchange(NONE, key, Relaxed, Relaxed).is_ok();
    if !is_wanted {
        // SAFETY: made above, and not passed to anybody.
        unsafe { libc::pthread_key_delete(key) };
    }
}

/// Whether the end of the calling thread will be noticed.
pub fn arm() -> bool {
    let key = KEY.load(Relaxed);
    // SAFETY: this library's own key; any value except null causes the destructor to be called. For one of the first keys,
    // nothing is allocated.
    key != NONE && unsafe { libc::pthread_setspecific(key, (&raw const KEY).cast()) } == 0
}

unsafe extern "C" fn end_of_thread(_: *mut c_void) {
    cache::close();
}
