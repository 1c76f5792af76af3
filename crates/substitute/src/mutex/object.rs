//! The layout of the 40 bytes of a `pthread_mutex_t`.
//!
//! | bytes | the C library | this library |
//! |---|---|---|
//! | 0-3 | futex word | the number of threads that wait for conditions with the mutex |
//! | 4-7 | count of a recursive mutex | the same |
//! | 8-15 | owner, users | owner of a recursive or error-checking mutex |
//! | 16-19 | kind | unchanged |
//! | 20-23 | spins, elision | the mark: whether the lock below has been made |
//! | 24-39 | list of robust mutexes | the lock |
//!
//! A lock may need more room than that (`InPlace::PLAIN_ONLY`). Then it has the first 16 bytes as well, and only mutexes that
//! do not store their owner are replaced.
//!
//! # Invariants
//!
//! - **O1** The lock in the room is a valid `L`, the only type of lock in the process, once the mark is the mark of any
//!   generation.
//! - **O2** Only the holder writes owner and count. A thread that reads its own identity as the owner is the holder.

use core::ffi::c_int;
use core::sync::atomic::Ordering::{Acquire, Relaxed};
use core::sync::atomic::{AtomicU32, AtomicU64};

use libc::pthread_mutex_t;

use crate::generation;
use crate::in_place::{InPlace, ROOM_ALIGNMENT, ROOM_BYTES};
use crate::mark::Mark;

/// A replaced mutex.
#[repr(C)]
#[derive(Debug)]
pub struct MutexObject {
    /// The number of threads that have released it to wait for a condition: the C library counts them among its users.
    pub waiting: AtomicU32,
    /// How often the holder of a recursive mutex has acquired it.
    pub count: AtomicU32,
    /// The holder of a recursive or error-checking mutex: `owner`.
    pub owner: AtomicU64,
    /// The kind, as set by `pthread_mutexattr_settype` and similar functions: `kinds`.
    pub kind: AtomicU32,
    /// Whether the lock has been made.
    pub mark: Mark,
    /// Room for the lock.
    pub room: [AtomicU64; ROOM_BYTES / size_of::<u64>()],
}

const _: () = assert!(core::mem::offset_of!(MutexObject, room).is_multiple_of(ROOM_ALIGNMENT));

// On x86-64 they are equal; on aarch64 the C library's object has 8 more bytes at its end, which nothing uses.
const _: () = assert!(size_of::<MutexObject>() <= size_of::<pthread_mutex_t>());
const _: () = assert!(align_of::<MutexObject>() == align_of::<pthread_mutex_t>());
const _: () = assert!(
    cfg!(target_endian = "little"),
    "the kind is the lower half of a word"
);

impl MutexObject {
    /// Returns the program's mutex in this library's layout.
    ///
    /// # Safety
    /// It is a mutex that the program may use, initialised in any of the ways that POSIX allows.
    #[inline(always)]
    pub unsafe fn of<'a>(mutex: *mut pthread_mutex_t) -> &'a Self {
        // SAFETY: the size and the alignment are the same, and everything in it is atomic or guarded by O1.
        unsafe { &*mutex.cast::<Self>() }
    }

    /// Distinguishes, with one load, a settled plain mutex (kind zero) from everything else.
    #[inline(always)]
    pub fn is_plain_and_settled(&self) -> bool {
        // SAFETY: kind and mark are adjacent, and together aligned for a word, since the struct is aligned and 16 bytes
        // precede them. Elsewhere the halves are separate atomics; all known processors keep the two views coherent.
        let both = unsafe { AtomicU64::from_ptr((&raw const self.kind).cast_mut().cast()) };
        // Acquire: pairs with the release in `Mark::settle`, to see the lock made.
        both.load(Acquire) == generation::in_force()
    }

    /// Returns the lock.
    ///
    /// # Safety
    /// The mark is the mark of a generation, and `L` is the lock of this process.
    #[inline(always)]
    pub unsafe fn lock<L: InPlace>(&self) -> &L {
        const {
            assert!(
                size_of::<L>() <= 16 && align_of::<L>() <= 8,
                "the lock fits"
            )
        };
        // SAFETY: O1; the room is large enough and aligned. A lock's words are atomics, shared by all its users.
        unsafe { &*(&raw const self.room).cast::<L>() }
    }

    /// Puts a lock into the room.
    ///
    /// # Safety
    /// M1: the caller is settling the object.
    pub unsafe fn put<L: InPlace>(&self, lock: L) {
        // SAFETY: as in `lock`; nobody else looks at the room before the mark is stored. Atomics may be written through a
        // shared reference.
        unsafe { (&raw const self.room).cast_mut().cast::<L>().write(lock) };
    }

    /// Returns the kind that the program gave it.
    #[inline]
    pub fn kind(&self) -> c_int {
        // Relaxed: written when the object was initialised, before it was used.
        self.kind.load(Relaxed).cast_signed()
    }
}
