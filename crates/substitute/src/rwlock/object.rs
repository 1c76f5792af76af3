//! The layout of the 56 bytes of a `pthread_rwlock_t`.
//!
//! | bytes | the C library | this library |
//! |---|---|---|
//! | 0-23 | readers, writers, two futex words, unused | the lock |
//! | 24-27 | thread number of the writer inside | unchanged |
//! | 28-31 | whether other processes may use it | unchanged |
//! | 32-39 | elision, unused | the writer inside |
//! | 40-43 | unused | the mark: whether the lock above has been made |
//! | 44-47 | unused | unused |
//! | 48-51 | kind | unchanged |
//! | 52-55 | padding, which an initialiser need not write | unused |
//!
//! # Invariants
//!
//! - **O1** The lock in the room is a valid `RwPark` once the mark is the mark of any generation.
//! - **O2** Only the writer inside writes the writer field. A thread that reads its own identity there is inside.

use core::cell::UnsafeCell;
use core::mem::{MaybeUninit, offset_of};
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicU32, AtomicU64};

use libc::pthread_rwlock_t;
use locktoll_locks::{Preference, RwPark};

use crate::mark::Mark;

/// `PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP` (pthread_rwlockattr_setkind_np(3)).
const PREFER_WRITERS: u32 = 2;

/// A replaced reader-writer lock.
#[repr(C)]
#[derive(Debug)]
pub struct RwObject {
    room: UnsafeCell<MaybeUninit<RwPark>>,
    _writers_number: AtomicU32,
    shared: AtomicU32,
    /// The writer inside: `owner`.
    pub writer: AtomicU64,
    /// Whether the lock has been made.
    pub mark: Mark,
    _unused: AtomicU32,
    kind: AtomicU32,
    _padding: AtomicU32,
}

const _: () = assert!(size_of::<RwObject>() == size_of::<pthread_rwlock_t>());
const _: () = assert!(align_of::<RwObject>() == align_of::<pthread_rwlock_t>());
const _: () = assert!(offset_of!(RwObject, shared) == 28 && offset_of!(RwObject, kind) == 48);
const _: () = assert!(offset_of!(RwObject, writer) == 32 && offset_of!(RwObject, mark) == 40);

impl RwObject {
    /// Returns the program's lock in this library's layout.
    ///
    /// # Safety
    /// It is a reader-writer lock that the program may use, initialised in any of the ways that POSIX allows.
    #[inline(always)]
    pub unsafe fn of<'a>(rwlock: *mut pthread_rwlock_t) -> &'a Self {
        // SAFETY: the size and the alignment are the same, and everything in it is atomic or guarded by O1.
        unsafe { &*rwlock.cast::<Self>() }
    }

    /// Returns the lock.
    ///
    /// # Safety
    /// The mark is the mark of a generation.
    #[inline(always)]
    pub unsafe fn lock(&self) -> &RwPark {
        // SAFETY: O1. The lock's words are atomics, shared by all its users, and the other fields are never written again.
        unsafe { (*self.room.get()).assume_init_ref() }
    }

    /// Puts a lock into the room.
    ///
    /// # Safety
    /// M1: the caller is settling the object.
    pub unsafe fn put(&self, lock: RwPark) {
        // SAFETY: nobody else looks at the room before the mark is stored.
        unsafe { (*self.room.get()).write(lock) };
    }

    /// Whether the program has allowed other processes to use it.
    #[inline]
    pub fn is_shared(&self) -> bool {
        // Relaxed: written when the object was initialised, before it was used.
        self.shared.load(Relaxed) != 0
    }

    /// Returns who goes first, as the program has set it.
    pub fn preference(&self) -> Preference {
        // Relaxed: as above.
        if self.kind.load(Relaxed) == PREFER_WRITERS {
            Preference::Writers
        } else {
            Preference::Readers
        }
    }
}
