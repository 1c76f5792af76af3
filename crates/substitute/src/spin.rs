//! `pthread_spinlock_t` over the futex lock of one word.
//!
//! Under every candidate it is the same lock, and the candidate says how a thread waits ([`crate::waiting`]): it parks at once, or
//! spins first, or spins and yields, and in the end it parks. The candidates' own algorithms cannot go in: four bytes hold no
//! queue and no gate; and tickets, which would fit, are not to be had after a fork. The child finds tickets drawn by
//! threads that are not there, which would have to be passed over, but four bytes have no room for the generation that would
//! tell it so. A futex word needs nothing of the kind: whoever waited leaves at most one needless wake-up behind.
//! Under the gate, which is a way into the C library's own mutexes, the C library's own spin locks stay.
//!
//! Nothing marks an object of four bytes, so the lock's values are signed: what is not, the C library has initialised for
//! several processes, and looks after it. There is no static initialiser; every spin lock comes by pthread_spin_init(3p).
//! Destroying does nothing, in the C library as here.

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

/// Sends the names of spin locks to these functions.
pub fn replace() {
    // SAFETY: E1: each has the signature of its name.
    unsafe {
        entries::send(Entry::SpinLock, lock as *mut _);
        entries::send(Entry::SpinTryLock, try_lock as *mut _);
        entries::send(Entry::SpinUnlock, unlock as *mut _);
        entries::send(Entry::SpinInit, init as *mut _);
    }
}

/// The same where only some are asked for: decided when they are initialised, as all are.
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

/// The program's spin lock as a word, signed or not.
///
/// # Safety
/// The program's own spin lock.
#[inline(always)]
unsafe fn word<'a>(spin: *mut pthread_spinlock_t) -> &'a FutexWord {
    // SAFETY: size and alignment are the same, and it is an atomic word with whatever value.
    unsafe { &*spin.cast_const().cast::<FutexWord>() }
}

/// pthread_spin_lock(3p).
///
/// # Safety
/// The program's own spin lock.
unsafe extern "C" fn lock(spin: *mut pthread_spinlock_t) -> c_int {
    // SAFETY: the caller's promise.
    let word = unsafe { word(spin) };
    // A value that is not signed is not the free one.
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
    // SAFETY: the caller gives up what it has acquired.
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

/// The same for a lock that is left to the C library.
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
