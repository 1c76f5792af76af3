//! The behaviour of the program's kinds of mutexes, except for the settled plain one.
//!
//! The kind's bits are part of the C library's binary interface, since static initialisers write them into programs:
//! `pthread_mutexattr_settype` (the lower two bits), elision (256, 512: how the C library may acquire the mutex, which does
//! not matter here), and the kinds that are left to the C library: robust (16), priority-inheriting (32), priority-protected
//! (64), process-shared (128). A destroyed mutex has all bits: the C library refuses it, as it should.

use core::ffi::c_int;
use core::sync::atomic::Ordering::Relaxed;

use libc::pthread_mutex_t;

use super::object::MutexObject;
use super::owner::NOBODY;
use crate::in_place::InPlace;
use crate::passed;
use crate::real::mutex as real;
use crate::tally::{Object, Reason};
use crate::thread::caller;

const TYPE: c_int = 3;
const ROBUST: c_int = 16;
const PRIORITY_INHERITING: c_int = 32;
const PRIORITY_PROTECTED: c_int = 64;
const PROCESS_SHARED: c_int = 128;
const ELISION: c_int = 256 | 512;

/// How a mutex treats its holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Normal and adaptive: does not store its holder.
    Normal,
    /// Its holder may acquire it again.
    Recursive,
    /// Reports mistakes to its holder and to others.
    ErrorChecking,
    /// Belongs to the C library.
    Passed,
}

/// Sorts a kind. Also returns the reason, if the mutex is passed through and counted for that reason.
pub fn sort(kind: c_int) -> (Kind, Option<Reason>) {
    // Robust comes first: the C library also marks all of those as process-shared.
    let passed = [
        (ROBUST, Reason::Robust),
        (PROCESS_SHARED, Reason::ProcessShared),
        (PRIORITY_INHERITING, Reason::PriorityInheriting),
        (PRIORITY_PROTECTED, Reason::PriorityProtected),
    ];
    let of_program =
        TYPE | ELISION | ROBUST | PRIORITY_INHERITING | PRIORITY_PROTECTED | PROCESS_SHARED;
    if kind & !of_program != 0 {
        // Destroyed, or never a mutex.
        return (Kind::Passed, None);
    }
    if let Some((_, reason)) = passed.iter().find(|(bit, _)| kind & bit != 0) {
        return (Kind::Passed, Some(*reason));
    }
    (of_type(kind), None)
}

/// Returns the kind of a mutex that is not passed through.
#[inline(always)]
fn of_type(kind: c_int) -> Kind {
    match kind & TYPE {
        libc::PTHREAD_MUTEX_RECURSIVE => Kind::Recursive,
        libc::PTHREAD_MUTEX_ERRORCHECK => Kind::ErrorChecking,
        _ => Kind::Normal,
    }
}

/// Whether the mutex can only be the C library's. If so, counts it.
#[cold]
pub fn is_passed<L: InPlace>(object: &MutexObject) -> bool {
    let address = (&raw const *object).addr();
    let (kind, reason) = sort(object.kind());
    if kind == Kind::Passed {
        if let Some(reason) = reason {
            passed::count(Object::Mutex, reason, address);
        }
        return true;
    }
    if object.mark.is_current() {
        return false;
    }
    // The program has packed it, so the lock's words would be torn. Such a mutex is never settled, so it is always passed
    // through here.
    let is_packed = !address.is_multiple_of(align_of::<MutexObject>());
    let has_no_room = is_packed || L::PLAIN_ONLY && object.kind() & TYPE != 0;
    if has_no_room {
        passed::count(Object::Mutex, Reason::NoRoom, address);
    }
    has_no_room
}

/// Returns the mutex, settled if it is this library's, and its kind.
///
/// # Safety
/// The program's own mutex.
#[inline]
pub unsafe fn sorted<'a, L: InPlace>(mutex: *mut pthread_mutex_t) -> (&'a MutexObject, Kind) {
    // SAFETY: the caller's promise.
    let object = unsafe { MutexObject::of(mutex) };
    let kind = object.kind();
    // Except for the first use and for mutexes that are passed through, two comparisons are enough.
    if kind & !(TYPE | ELISION) != 0 || !object.mark.is_current() {
        if is_passed::<L>(object) {
            return (object, Kind::Passed);
        }
        object.settle::<L>();
    }
    (object, of_type(kind))
}

/// pthread_mutex_lock(3p) for any mutex.
///
/// # Safety
/// The program's own mutex.
#[inline(never)]
pub unsafe extern "C" fn lock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    let (object, kind) = unsafe { sorted::<L>(mutex) };
    // SAFETY: settled, if it is used.
    let lock = || unsafe { object.lock::<L>() }.lock();
    match kind {
        Kind::Normal => lock(),
        Kind::Recursive | Kind::ErrorChecking if object.is_callers() => {
            return object.acquire_again(kind);
        }
        Kind::Recursive | Kind::ErrorChecking => {
            lock();
            object.note_owner(caller(), 1);
        }
        // SAFETY: the caller's promise.
        Kind::Passed => return unsafe { real::lock(mutex) },
    }
    0
}

/// pthread_mutex_trylock(3p) for any mutex.
///
/// # Safety
/// The program's own mutex.
#[inline(never)]
pub unsafe extern "C" fn try_lock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    let (object, kind) = unsafe { sorted::<L>(mutex) };
    match kind {
        // SAFETY: the caller's promise.
        Kind::Passed => return unsafe { real::try_lock(mutex) },
        Kind::Recursive if object.is_callers() => return object.acquire_again(kind),
        _ => {}
    }
    // SAFETY: settled.
    if !unsafe { object.lock::<L>() }.try_lock() {
        return libc::EBUSY;
    }
    if kind != Kind::Normal {
        object.note_owner(caller(), 1);
    }
    0
}

/// pthread_mutex_unlock(3p) for any mutex.
///
/// # Safety
/// The program's own mutex.
#[inline(never)]
pub unsafe extern "C" fn unlock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    let (object, kind) = unsafe { sorted::<L>(mutex) };
    match kind {
        // SAFETY: the caller's promise.
        Kind::Passed => return unsafe { real::unlock(mutex) },
        Kind::Recursive | Kind::ErrorChecking if !object.is_callers() => return libc::EPERM,
        Kind::Recursive if object.give_one_back() => return 0,
        Kind::Recursive | Kind::ErrorChecking => object.note_owner(NOBODY, 0),
        Kind::Normal => {}
    }
    // SAFETY: settled.
    unsafe { object.release::<L>() };
    0
}

impl MutexObject {
    /// Handles the holder acquiring again a mutex that stores its holder.
    #[inline]
    pub fn acquire_again(&self, kind: Kind) -> c_int {
        if kind != Kind::Recursive {
            return libc::EDEADLK;
        }
        // Relaxed: O2.
        let Some(count) = self.count.load(Relaxed).checked_add(1) else {
            return libc::EAGAIN;
        };
        self.count.store(count, Relaxed);
        0
    }

    /// Undoes one acquisition of a recursive mutex. Returns whether its holder still has it.
    #[inline]
    fn give_one_back(&self) -> bool {
        // Relaxed: O2.
        let count = self.count.load(Relaxed).wrapping_sub(1);
        if count != 0 {
            self.count.store(count, Relaxed);
        }
        count != 0
    }

    /// Releases the lock, if it is held. Programs that release a lock they have not acquired work with the C library's normal
    /// mutexes, but one of this library's locks could break.
    ///
    /// # Safety
    /// The mutex is settled, and the caller gives up any rights it has to it.
    #[inline(always)]
    pub unsafe fn release<L: InPlace>(&self) {
        // SAFETY: the caller's promise.
        let lock = unsafe { self.lock::<L>() };
        if lock.is_locked() {
            // SAFETY: held; a program that releases a lock held by another thread does so on purpose.
            unsafe { lock.unlock() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_their_bits() {
        for (kind, expected) in [
            (0, Kind::Normal),
            (libc::PTHREAD_MUTEX_ADAPTIVE_NP, Kind::Normal),
            (512, Kind::Normal),
            (256 | 3, Kind::Normal),
            (1, Kind::Recursive),
            (512 | 1, Kind::Recursive),
            (2, Kind::ErrorChecking),
        ] {
            assert_eq!(sort(kind), (expected, None), "{kind}");
        }
        for (kind, reason) in [
            (128, Reason::ProcessShared),
            (128 | 16, Reason::Robust),
            (16 | 1, Reason::Robust),
            (32 | 2, Reason::PriorityInheriting),
            (64, Reason::PriorityProtected),
        ] {
            assert_eq!(sort(kind), (Kind::Passed, Some(reason)), "{kind}");
        }
        assert_eq!(sort(-1), (Kind::Passed, None), "destroyed");
    }
}
