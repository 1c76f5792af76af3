//! The behaviour of the program's kinds of mutexes, except for the settled plain one.
//!
//! The kind's bits are part of the C library's binary interface, since static initialisers write them into programs:
//! `pthread_mutexattr_settype` (the lower two), elision (256, 512: how the C library may acquire it, which does not matter
//! here), and the kinds that are left to the C library: robust (16), priority-inheriting (32), priority-protected (64),
//! process-shared (128). A destroyed mutex has all bits: the C library refuses it, as it should.

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

/// What a mutex does for its holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Normal and adaptive: forgets who holds it.
    Normal,
    /// Its holder may acquire it again.
    Recursive,
    /// It tells its holder and others of their mistakes.
    ErrorChecking,
    /// It is the C library's.
    Passed,
}

/// Sorts a kind; the reason where it is passed through and counted for that.
pub fn sort(kind: c_int) -> (Kind, Option<Reason>) {
    // Robust first: the C library marks all of those as process-shared, too.
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

/// What a mutex does that is not passed through.
#[inline(always)]
fn of_type(kind: c_int) -> Kind {
    match kind & TYPE {
        libc::PTHREAD_MUTEX_RECURSIVE => Kind::Recursive,
        libc::PTHREAD_MUTEX_ERRORCHECK => Kind::ErrorChecking,
        _ => Kind::Normal,
    }
}

/// Whether the mutex can be nobody's but the C library's, and counts it then.
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
    // Packed by the program: the lock's words would be torn. Never settled, so always passed through here.
    let is_packed = !address.is_multiple_of(align_of::<MutexObject>());
    let has_no_room = is_packed || L::PLAIN_ONLY && object.kind() & TYPE != 0;
    if has_no_room {
        passed::count(Object::Mutex, Reason::NoRoom, address);
    }
    has_no_room
}

/// The mutex, settled if it is ours, and what it does.
///
/// # Safety
/// The program's own mutex.
#[inline]
pub unsafe fn sorted<'a, L: InPlace>(mutex: *mut pthread_mutex_t) -> (&'a MutexObject, Kind) {
    // SAFETY: the caller's promise.
    let object = unsafe { MutexObject::of(mutex) };
    let kind = object.kind();
    // All but the first use, and all but what is passed through, get by with two comparisons.
    if kind & !(TYPE | ELISION) != 0 || !object.mark.is_current() {
        if is_passed::<L>(object) {
            return (object, Kind::Passed);
        }
        object.settle::<L>();
    }
    (object, of_type(kind))
}

/// pthread_mutex_lock(3p) of any mutex.
///
/// # Safety
/// The program's own mutex.
#[inline(never)]
pub unsafe extern "C" fn lock<L: InPlace>(mutex: *mut pthread_mutex_t) -> c_int {
    // SAFETY: the caller's promise.
    let (object, kind) = unsafe { sorted::<L>(mutex) };
    // SAFETY: settled, where it is used.
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

/// pthread_mutex_trylock(3p) of any mutex.
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

/// pthread_mutex_unlock(3p) of any mutex.
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
    /// The holder comes again to a mutex that knows it.
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

    /// Whether its holder still has the recursive mutex after this release.
    #[inline]
    fn give_one_back(&self) -> bool {
        // Relaxed: O2.
        let count = self.count.load(Relaxed).wrapping_sub(1);
        if count != 0 {
            self.count.store(count, Relaxed);
        }
        count != 0
    }

    /// Releases the lock, if it is held: programs that release what they have not acquired work with the C library's
    /// normal mutexes, and a lock of ours could break by it.
    ///
    /// # Safety
    /// Settled, and the caller gives up what rights it has.
    #[inline(always)]
    pub unsafe fn release<L: InPlace>(&self) {
        // SAFETY: the caller's promise.
        let lock = unsafe { self.lock::<L>() };
        if lock.is_locked() {
            // SAFETY: held; a program that releases what another thread holds means it.
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
