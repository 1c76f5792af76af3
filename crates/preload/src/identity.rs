//! The identity of locks that live at the same address one after another.
//!
//! A C++ mutex is made by a constructor that calls nothing, in memory that another mutex had before. Only its own memory shows
//! that it is new: an initialiser of any kind writes zeros, and the C library leaves some of the words alone. The recorder
//! stores a *mark* there, and a lock without such a mark has not been seen before.
//!
//! | object | mark | check | what the C library uses them for |
//! |---|---|---|---|
//! | `pthread_mutex_t` | 24-31 | 32-39 | the list of robust mutexes, so those are not marked |
//! | `pthread_rwlock_t` | 40-47 | 16-23 | nothing (padding) |
//! | `sem_t` | 16-23 | 24-31 | nothing (padding); its initialiser leaves them alone too, so the hook clears them |
//! | `pthread_barrier_t` | 24-31 | | nothing (padding), as `sem_t` |
//!
//! The mark is the lock's *generation* (lower half), a number that is given out once in a process, and its *birth*. The check
//! is made of the address and a number of this process: memory copied from another lock, or left by another process, is not a
//! mark. If there is no word for a check, the upper bits of the birth's half hold one.
//!
//! Objects without room (spin locks, condition variables, futex words) and those that other processes may see (process-shared
//! and robust ones) are not marked. Their initialisations and destructions are counted in a small table by address. If
//! addresses share a counter, all of them count as new when one of them is initialised: their earlier counts stay, under their
//! births.
//!
//! # Invariants
//!
//! - **N1** The object at an address is of its kind, and is not destroyed while it is marked: the program is inside a call on
//!   it.
//! - **N2** A lock gets one mark. A mark that another process or another lock has left is cleared first; then the check is
//!   written, with the same value by all threads; then the mark, by a compare-exchange with zero. So a thread that finds a
//!   check of this process finds a mark of this process or none. No leftover mark equals one of this process, since a child
//!   continues from its parent's generation.

use core::ffi::c_int;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use locktoll_recording::layout::{BirthBy, LockKind};

use crate::generations::Generations;
use crate::lineage::{self, Ancestor};
use crate::origins::Inherited;
use crate::recorder::Recorder;
use crate::thread::Thread;

/// The offset at which the GNU C library keeps the kind of a mutex. The offset and the bits below are part of its binary
/// interface, since static initialisers write them into programs.
const MUTEX_KIND: usize = 16;
/// The mutex is robust: pthread_mutexattr_setrobust(3p).
const ROBUST: c_int = 16;
/// The mutex is process-shared: pthread_mutexattr_setpshared(3p).
const PROCESS_SHARED: c_int = 128;
/// The mutex has a priority ceiling: pthread_mutexattr_setprotocol(3p), `PTHREAD_PRIO_PROTECT`.
const CEILING: c_int = 64;
/// The offset of a mutex's mark.
const MUTEX_MARK: usize = 24;

/// The bits of a mark that serve as a check if there is no word for one.
const FOLDED_BITS: u64 = 0xfff << 52;

/// What the recorder knows about a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Distinguishes the lock from others at its address.
    pub generation: u32,
    /// `BirthRecord::id`; zero for locks that are not marked, whose records each have the birth of their first use.
    pub birth: u32,
}

impl Identity {
    fn to_mark(self) -> u64 {
        u64::from(self.generation) | u64::from(self.birth) << 32
    }

    fn from_mark(mark: u64) -> Self {
        Self {
            generation: mark as u32,
            birth: (mark >> 32) as u32,
        }
    }
}

/// Returns the word that identifies a plain mutex: its generation, if it has been seen before.
///
/// # Safety
/// N1.
#[inline(always)]
pub unsafe fn mark_of_mutex(mutex: usize) -> u32 {
    // SAFETY: N1; the word is within the object and aligned.
    unsafe {
        (mutex as *const u8)
            .add(MUTEX_MARK)
            .cast::<u32>()
            .read_volatile()
    }
}

/// Returns the generation of a mutex that has been seen before, or a value that no record has. Returns `None` if the mutex is
/// of a kind that is not marked, or that must not be tried before it is locked.
///
/// # Safety
/// N1.
#[inline(always)]
pub unsafe fn mutex_generation(mutex: usize) -> Option<u32> {
    let object = mutex as *const u8;
    // SAFETY: N1; both words are within the object and aligned.
    let (kind, mark) = unsafe {
        (
            object.add(MUTEX_KIND).cast::<c_int>().read_volatile(),
            object.add(MUTEX_MARK).cast::<u32>().read_volatile(),
        )
    };
    (kind & (ROBUST | PROCESS_SHARED | CEILING) == 0).then_some(mark)
}

/// Returns whether the mutex is robust, and whether it has a priority ceiling.
///
/// # Safety
/// N1.
pub unsafe fn mutex_protocol(mutex: usize) -> (bool, bool) {
    // SAFETY: N1; every lock function reads this word first, as this one does.
    let kind = unsafe {
        (mutex as *const u8)
            .add(MUTEX_KIND)
            .cast::<c_int>()
            .read_volatile()
    };
    (kind & ROBUST != 0, kind & CEILING != 0)
}

/// Whether the thread that holds the mutex has acquired it more than once: only a recursive mutex allows it.
///
/// # Safety
/// N1.
pub unsafe fn is_mutex_held_again(mutex: usize) -> bool {
    /// The offset at which the GNU C library counts how often the holder has the mutex.
    const COUNT: usize = 4;
    /// The bits of the kind that decide what happens if the holder locks again: pthread_mutexattr_settype(3p).
    const TYPE: c_int = 3;
    let object = mutex as *const u8;
    // SAFETY: N1; both words are within the object and aligned.
    let (kind, count) = unsafe {
        (
            object.add(MUTEX_KIND).cast::<c_int>().read_volatile(),
            object.add(COUNT).cast::<u32>().read_volatile(),
        )
    };
    kind & TYPE == libc::PTHREAD_MUTEX_RECURSIVE && count > 1
}

/// The words of an object that the recorder uses.
struct Room<'a> {
    mark: &'a AtomicU64,
    check: Option<&'a AtomicU64>,
}

/// Returns the words of `lock` that have room for a mark.
///
/// # Safety
/// N1.
unsafe fn room<'a>(kind: LockKind, lock: usize) -> Option<Room<'a>> {
    // SAFETY: N1: the offsets below lie within the object, and its alignment is 8 where they are used.
    let word = |offset| unsafe { &*((lock + offset) as *const AtomicU64) };
    // SAFETY: as above.
    let number = |offset| unsafe { ((lock + offset) as *const c_int).read_volatile() };
    // The program may have put the object anywhere, by its own allocator, and an unaligned word could be torn.
    if !lock.is_multiple_of(8) {
        return None;
    }
    match kind {
        LockKind::Mutex => (number(MUTEX_KIND) & (ROBUST | PROCESS_SHARED) == 0).then(|| Room {
            mark: word(MUTEX_MARK),
            check: Some(word(32)),
        }),
        // Byte 28 says whether it is process-shared.
        LockKind::RwLock => (number(28) == 0).then(|| Room {
            mark: word(40),
            check: Some(word(16)),
        }),
        // Bytes 8 to 11 say whether it is process-shared.
        LockKind::Semaphore => (number(8) == 0).then(|| Room {
            mark: word(16),
            check: Some(word(24)),
        }),
        // Bytes 12 to 15 say whether it is process-shared. The rest has room for only one word.
        LockKind::Barrier => (number(12) == 0).then(|| Room {
            mark: word(24),
            check: None,
        }),
        _ => None,
    }
}

/// Returns the check word next to a mark of the process with this salt.
fn check_of(salt: u64, lock: usize) -> u64 {
    (salt ^ (lock as u64).rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1
}

/// Returns the mark as that process writes it into a lock that has no word for a check.
fn folded(salt: u64, lock: usize, mark: u64) -> u64 {
    mark & !FOLDED_BITS | check_of(salt, lock) & FOLDED_BITS
}

impl Recorder {
    /// Returns the check word next to a mark of this process. It does not depend on the mark, so two threads that mark one
    /// lock at the same time write the same value.
    fn check_of(&self, lock: usize) -> u64 {
        check_of(self.salt(), lock)
    }

    /// Returns the mark to store. Without a word for a check, it has 12 bits of the check in the upper part of the birth,
    /// whose numbers are smaller.
    fn folded(&self, lock: usize, mark: u64) -> u64 {
        folded(self.salt(), lock, mark)
    }
    /// Returns what is known about `lock`, if it has been seen before.
    ///
    /// # Safety
    /// N1.
    pub unsafe fn known(&self, kind: LockKind, lock: usize) -> Option<Identity> {
        // SAFETY: N1 is the caller's promise.
        let Some(room) = (unsafe { room(kind, lock) }) else {
            return Some(Identity {
                generation: self.generations.unmarked(lock),
                birth: 0,
            });
        };
        match room.check {
            Some(check) => {
                // Acquire: pairs with the store of the check. A mark that is read after this process's check was also written
                // after it (N2).
                let is_ours = check.load(Acquire) == self.check_of(lock);
                // Relaxed: a mark publishes no other memory.
                let mark = is_ours.then(|| room.mark.load(Relaxed))?;
                (mark != 0).then(|| Identity::from_mark(mark))
            }
            None => {
                // Relaxed: as above.
                let mark = room.mark.load(Relaxed);
                let is_ours = mark != 0 && self.folded(lock, mark) == mark;
                is_ours.then(|| Identity::from_mark(mark & !FOLDED_BITS))
            }
        }
    }

    /// Returns what is known about `lock`, and marks it if it has not been seen before. `site` is the call that is being made
    /// on it.
    ///
    /// # Safety
    /// N1.
    pub unsafe fn identify(
        &'static self,
        kind: LockKind,
        lock: usize,
        site: usize,
        by: BirthBy,
        thread: Option<&Thread>,
    ) -> Identity {
        // SAFETY: N1 is the caller's promise.
        if let Some(identity) = unsafe { self.known(kind, lock) } {
            return identity;
        }
        let inherited = (by == BirthBy::FirstUse)
            // SAFETY: as above.
            .then(|| unsafe { self.inherited(kind, lock) })
            .flatten();
        let identity = Identity {
            generation: Generations::next(),
            birth: match inherited {
                Some(inherited) => self.inherited_birth(thread, site, kind, inherited),
                None => self.birth(thread, site, by, kind),
            },
        };
        // SAFETY: as above.
        let Some(room) = (unsafe { room(kind, lock) }) else {
            return identity;
        };
        self.clear_what_was_left(kind, lock, &room);
        let mark = match room.check {
            Some(check) => {
                // Release: pairs with the load in `known`.
                check.store(self.check_of(lock), Release);
                identity.to_mark()
            }
            None => self.folded(lock, identity.to_mark()),
        };
        // Release: a thread that finds this mark in `clear_what_was_left` also finds the check. Relaxed on failure: see
        // `known`.
        match room.mark.compare_exchange(0, mark, Release, Relaxed) {
            Ok(_) => {
                self.count_birth(identity.birth);
                identity
            }
            // Another thread was first.
            Err(other) => Identity::from_mark(match room.check {
                Some(_) => other,
                None => other & !FOLDED_BITS,
            }),
        }
    }

    /// Returns the mark left by a process from which this one was forked.
    ///
    /// # Safety
    /// N1.
    unsafe fn inherited(&self, kind: LockKind, lock: usize) -> Option<Inherited> {
        // SAFETY: N1 is the caller's promise.
        let room = unsafe { room(kind, lock) }?;
        // Relaxed, both: only this process's threads change them. If one of them does meanwhile, the mark is its own, and this
        // one is given up.
        let mark = room.mark.load(Relaxed);
        let check = room.check.map(|check| check.load(Relaxed));
        let has_left = |process: &Ancestor| match check {
            Some(check) => check == check_of(process.salt, lock),
            None => mark == folded(process.salt, lock, mark),
        };
        let left = match check {
            Some(_) => mark,
            None => mark & !FOLDED_BITS,
        };
        let birth = Identity::from_mark(left).birth;
        let from = lineage::ancestors().find(has_left);
        let from = from.filter(|_| mark != 0 && birth != 0)?;
        Some(Inherited { from, birth })
    }

    /// Clears a mark that this process did not make.
    fn clear_what_was_left(&self, kind: LockKind, lock: usize, room: &Room<'_>) {
        // Acquire: see `identify`.
        let before = room.mark.load(Acquire);
        // SAFETY: N1: the caller has found the room in this lock.
        if before != 0 && unsafe { self.known(kind, lock) }.is_none() {
            // Relaxed: the check is stored afterwards, with release. On failure, another thread was first.
            let _ = room.mark.compare_exchange(before, 0, Relaxed, Relaxed);
        }
    }

    /// Notes that `lock` was just initialised: it is a different lock from the one at its address before.
    ///
    /// # Safety
    /// N1.
    pub unsafe fn forget(&self, kind: LockKind, lock: usize) {
        // SAFETY: N1 is the caller's promise.
        match unsafe { room(kind, lock) } {
            // Nobody else uses a lock that is being initialised.
            Some(room) => room.mark.store(0, Relaxed),
            None => self.generations.forget(lock),
        }
    }
}
