//! What lies where in the 40 bytes of a `pthread_mutex_t`.
//!
//! | bytes | the C library's | ours |
//! |---|---|---|
//! | 0-3 | futex word | unused |
//! | 4-7 | count of a recursive mutex | the same |
//! | 8-15 | owner, users | owner of a recursive or error-checking mutex |
//! | 16-19 | kind | left as it is |
//! | 20-23 | spins, elision | the mark: whether the lock below has been made |
//! | 24-39 | list of robust mutexes | the lock |

use core::sync::atomic::AtomicU64;

/// A replaced mutex.
#[repr(C)]
#[derive(Debug)]
pub struct MutexObject {
    _word: u32,
    _count: u32,
    _owner: u64,
    /// Kind in the lower half, mark in the upper: one look tells the plain mutex that is ready from everything else.
    pub kind_and_mark: AtomicU64,
    /// Room for the lock.
    pub room: [u64; 2],
}

const _: () = assert!(size_of::<MutexObject>() == size_of::<libc::pthread_mutex_t>());
