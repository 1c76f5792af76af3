//! `pthread_spinlock_t`, implemented with the one-word futex lock.
//!
//! It is the same lock under every candidate, and the candidate decides how a thread waits ([`crate::waiting`]): it parks at
//! once, or spins first, or spins and yields, and in the end it parks. The candidates' own algorithms cannot be used: four
//! bytes have no room for a queue or a gate. Tickets would fit, but do not survive a fork: the child finds tickets drawn by
//! threads that do not exist there. They would have to be skipped, but four bytes have no room for the generation that would
//! show this. A futex word does not have this problem: the parent's waiters cause at most one needless wake-up. With the gate,
//! which works with the C library's own mutexes, the C library's own spin locks stay.
//!
//! An object of four bytes has no mark, so the lock's values contain a signature. An object without the signature was
//! initialised by the C library for several processes, and is left to it. There is no static initialiser: every spin lock is
//! initialised by pthread_spin_init(3p). Destroying does nothing, as in the C library.

use core::ffi::c_int;

use libc::pthread_spinlock_t;
use locktoll_locks::FutexWord;

use crate::entries::{self, Entry};
use crate::only::{is_asked_for, with_site};
use crate::real::spin as real;
use crate::tally::{self, Object, Reason};
use crate::waiting;

const _: () = assert!(size_of::<FutexWord>() == size_of::<pthread_spinlock_t>());
const _: () = assert!(align_of::<FutexWord>() == align_of::<pthread_spinlock_t>());

/// Redirects the names of spin locks to these functions.
pub fn replace() {
    // SAFETY: E1: each has the signature of its name.
    unsafe {
        entries::send(Entry::SpinLock, lock as *mut _);
        entries::send(Entry::SpinTryLock, try_lock as *mut _);
        entries::send(Entry::SpinUnlock, unlock as *mut _);
        entries::send(Entry::SpinInit, init as *mut _);
    }
}

/// Does the same if only some locks are to be replaced. This is decided when they are initialised, as all of them are.
pub fn replace_only() {
    replace();
    // SAFETY: E1, as above.
    unsafe { entries::send(Entry::SpinInit, init_from as *mut _) };
}

with_site!(init_from = init_if_asked_for, behind 2);

unsafe extern "C" fn init_if_asked_for(
    spin: *mut pthread_spinlock_t,
    shared: c_int,
    site: usize,
) -> c_int {
    let is_private = shared == libc::PTHREAD_PROCESS_PRIVATE;
    if is_private && !is_asked_for(spin.addr(), site) {
        tally::count_passed_through(Object::Spin, Reason::NotAskedFor);
        // SAFETY: the caller's promise.
        return unsafe { real::init(spin, shared) };
    }
    // SAFETY: as above.
    unsafe { init(spin, shared) }
}

/// Leaves spin locks to the C library, and counts them.
pub fn leave() {
    // SAFETY: E1, as above.
    unsafe { entries::send(Entry::SpinInit, init_left as *mut _) };
}

/// Returns the program's spin lock as a word, signed or not.
///
/// # Safety
/// The program's own spin lock.
#[inline(always)]
unsafe fn word<'a>(spin: *mut pthread_spinlock_t) -> &'a FutexWord {
    // SAFETY: size and alignment are the same, and it is an atomic word with any value.
    unsafe { &*spin.cast_const().cast::<FutexWord>() }
}

/// pthread_spin_lock(3p).
///
/// # Safety
/// The program's own spin lock.
unsafe extern "C" fn lock(spin: *mut pthread_spinlock_t) -> c_int {
    // SAFETY: the caller's promise.
    let word = unsafe { word(spin) };
    // A value without the signature differs from the free one.
    if word.try_lock() {
        return 0;
    }
    if !word.is_signed() {
        // SAFETY: as above.
        return unsafe { real::lock(spin) };
    }
    word.lock(waiting::chosen());
    0
}

/// pthread_spin_trylock(3p).
///
/// # Safety
/// The program's own spin lock.
unsafe extern "C" fn try_lock(spin: *mut pthread_spinlock_t) -> c_int {
    // SAFETY: the caller's promise.
    let word = unsafe { word(spin) };
    if word.try_lock() {
        0
    } else if word.is_signed() {
        libc::EBUSY
    } else {
        // SAFETY: as above.
        unsafe { real::try_lock(spin) }
    }
}

/// pthread_spin_unlock(3p).
///
/// # Safety
/// The program's own spin lock.
unsafe extern "C" fn unlock(spin: *mut pthread_spinlock_t) -> c_int {
    // SAFETY: the caller's promise.
    let word = unsafe { word(spin) };
    if !word.is_signed() {
        // SAFETY: as above.
        return unsafe { real::unlock(spin) };
    }
    // SAFETY: the caller gives up the lock that it has acquired.
    unsafe { word.unlock() };
    0
}

/// pthread_spin_init(3p).
///
/// # Safety
/// The program's own spin lock, which nobody uses.
unsafe extern "C" fn init(spin: *mut pthread_spinlock_t, shared: c_int) -> c_int {
    if shared != libc::PTHREAD_PROCESS_PRIVATE {
        // SAFETY: the caller's promise.
        return unsafe { init_left(spin, shared) };
    }
    tally::count_replaced(Object::Spin);
    // SAFETY: as above; the sizes are the same.
    unsafe { spin.cast::<FutexWord>().write(FutexWord::new()) };
    0
}

/// Does the same for a lock that is left to the C library.
///
/// # Safety
/// The program's own spin lock, which nobody uses.
unsafe extern "C" fn init_left(spin: *mut pthread_spinlock_t, shared: c_int) -> c_int {
    let reason = if shared == libc::PTHREAD_PROCESS_PRIVATE {
        Reason::NoRoom
    } else {
        Reason::ProcessShared
    };
    tally::count_passed_through(Object::Spin, reason);
    // SAFETY: the caller's promise.
    unsafe { real::init(spin, shared) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Initialises a lock, and returns what its calls return: an acquisition, an attempt, a release and another attempt.
    fn use_by(
        init: unsafe extern "C" fn(*mut pthread_spinlock_t, c_int) -> c_int,
        shared: c_int,
    ) -> ([c_int; 4], bool) {
        crate::real::look_up_all();
        let mut place = -1;
        let spin = &raw mut place;
        // SAFETY: the test's own lock.
        unsafe {
            assert_eq!(init(spin, shared), 0);
            let is_ours = word(spin).is_signed();
            (
                [lock(spin), try_lock(spin), unlock(spin), try_lock(spin)],
                is_ours,
            )
        }
    }

    #[test]
    fn a_lock_is_ours_unless_other_processes_may_use_it() {
        let results = [0, libc::EBUSY, 0, 0];
        let (private, shared) = (libc::PTHREAD_PROCESS_PRIVATE, libc::PTHREAD_PROCESS_SHARED);
        assert_eq!(use_by(init, private), (results, true));
        assert_eq!(use_by(init, shared), (results, false));
        assert_eq!(use_by(init_left, private), (results, false));
    }
}
