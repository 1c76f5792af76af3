//! The layout of the 40 bytes of a `pthread_mutex_t`.
//!
//! | bytes | the C library's | this library's |
//! |---|---|---|
//! | 0-3 | futex word | the number of threads that wait for conditions with it |
//! | 4-7 | count of a recursive mutex | the same |
//! | 8-15 | owner, users | owner of a recursive or error-checking mutex |
//! | 16-19 | kind | left as it is |
//! | 20-23 | spins, elision | the mark: whether the lock below has been made |
//! | 24-39 | list of robust mutexes | the lock |
//!
//! A lock may need more room than that (`InPlace::PLAIN_ONLY`). Then it has the first 16 bytes as well, and only mutexes that
//! do not store their owner are replaced.
//!
//! # Invariants
//!
//! - **O1** The lock in the room is a valid `L`, the only type of lock in the process, once the mark is that of any
//!   generation.
//! - **O2** Owner and count are written by the holder alone. A thread that reads its own identity as the owner is the holder.

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
    /// Threads that have released it to wait at a condition: the C library counts them among its users.
    pub waiting: AtomicU32,
    /// How often the holder of a recursive mutex has it.
    pub count: AtomicU32,
    /// Who holds a recursive or error-checking mutex: `owner`.
    pub owner: AtomicU64,
    /// What `pthread_mutexattr_settype` and the like have made of it: `kinds`.
    pub kind: AtomicU32,
    /// Whether the lock has been made.
    pub mark: Mark,
    /// Room for the lock.
    pub room: [AtomicU64; ROOM_BYTES / size_of::<u64>()],
}

const _: () = assert!(core::mem::offset_of!(MutexObject, room).is_multiple_of(ROOM_ALIGNMENT));

// On x86-64 it is all of it; on aarch64 the C library has 8 bytes more behind it, which nobody uses.
const _: () = assert!(size_of::<MutexObject>() <= size_of::<pthread_mutex_t>());
const _: () = assert!(align_of::<MutexObject>() == align_of::<pthread_mutex_t>());
const _: () = assert!(
    cfg!(target_endian = "little"),
    "the kind is the lower half of a word"
);

impl MutexObject {
    /// The program's mutex as we use it.
    ///
    /// # Safety
    /// It is a mutex that the program may use, initialised by any of the means that POSIX knows.
    #[inline(always)]
    pub unsafe fn of<'a>(mutex: *mut pthread_mutex_t) -> &'a Self {
        // SAFETY: the size and the alignment are the same, and everything in it is atomic or guarded by O1.
        unsafe { &*mutex.cast::<Self>() }
    }

    /// One look that tells the plain mutex (kind zero) that is settled from everything else.
    #[inline(always)]
    pub fn is_plain_and_settled(&self) -> bool {
        // SAFETY: kind and mark are neighbours, and aligned for a word together since the struct is and 16 bytes are before
        // them. The halves are atomics of their own elsewhere, which all processors we know keep coherent.
        let both = unsafe { AtomicU64::from_ptr((&raw const self.kind).cast_mut().cast()) };
        // Acquire: pairs with the release in `Mark::settle`, to see the lock made.
        both.load(Acquire) == generation::in_force()
    }

    /// The lock.
    ///
    /// # Safety
    /// The mark is that of a generation, `L` the lock of this process.
    #[inline(always)]
    pub unsafe fn lock<L: InPlace>(&self) -> &L {
        const {
            assert!(
                size_of::<L>() <= 16 && align_of::<L>() <= 8,
                "the lock fits"
            )
        };
        // SAFETY: O1; the room is large enough and aligned. A lock's words are atomics, shared by all that use it.
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

    /// The kind, as the program made it.
    #[inline]
    pub fn kind(&self) -> c_int {
        // Relaxed: written when the object was initialised, before it was used.
        self.kind.load(Relaxed).cast_signed()
    }
}
