//! Acquiring a free mutex of the default kind without a call, by writing three words as the C library does.
//!
//! The C library's own attempt takes some forty instructions, more than its lock function, since it has to handle all kinds.
//! The layout of these words is part of its binary interface, since static initialisers write them, but the values that it
//! stores at an acquisition are not. So this library observes once how the C library acquires a mutex that this library made.
//! If the C library does anything else there, or another preloaded library interposes it, the C library's functions are
//! called, as for all other kinds.
//!
//! # Invariants
//!
//! - **W1** [`acquire`] is called only after [`is_understood`] has returned `true`.

use core::ffi::CStr;
use core::mem::{MaybeUninit, zeroed};
use core::ptr::from_mut;
use core::sync::atomic::Ordering::{Acquire, Relaxed};
use core::sync::atomic::{AtomicU8, AtomicU32};

use libc::{Dl_info, dladdr, pthread_mutex_t};

use super::object::{OWNER, WORD, word};
use crate::real;
use crate::sys;

/// The offset at which the GNU C library counts the users of a mutex: its holder, and the threads that wait for a condition
/// with it.
const USERS: usize = 12;
const KIND: usize = 16;
/// The offset of the number of times a recursive mutex is held.
const TIMES: usize = 4;
/// Set if the mutex was made with the kind `PTHREAD_MUTEX_NORMAL`: memory transactions must not take its place.
const NORMAL: u32 = 512;

/// Whether the mutex is of the default kind, which its holder cannot acquire again, and is not robust or shared, and has no
/// protocol.
///
/// # Safety
/// H1.
#[inline(always)]
pub unsafe fn is_plain(mutex: *mut pthread_mutex_t) -> bool {
    // SAFETY: H1.
    unsafe { word(mutex, KIND) & !NORMAL == 0 }
}

/// Acquires a plain mutex for the thread `tid`, if it is free.
///
/// # Safety
/// H1, and W1.
#[inline(always)]
pub unsafe fn acquire(mutex: *mut pthread_mutex_t, tid: u32) -> bool {
    // SAFETY: H1: these words are within the mutex and aligned.
    let (state, owner, users) = unsafe { (at(mutex, WORD), at(mutex, OWNER), at(mutex, USERS)) };
    // Acquire: the new holder sees what the last holder wrote.
    if state.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
        return false;
    }
    // Relaxed: only the holder writes them.
    users.store(users.load(Relaxed).wrapping_add(1), Relaxed);
    owner.store(tid, Relaxed);
    true
}

/// # Safety
/// H1, and `offset` is the offset of an aligned word in the mutex.
#[inline(always)]
unsafe fn at<'a>(mutex: *mut pthread_mutex_t, offset: usize) -> &'a AtomicU32 {
    // SAFETY: the caller's promise. Other threads that write it meanwhile use atomic stores.
    unsafe { &*mutex.byte_add(offset).cast() }
}

const UNKNOWN: u8 = 0;
const YES: u8 = 1;
const NO: u8 = 2;
static UNDERSTOOD: AtomicU8 = AtomicU8::new(UNKNOWN);

/// Whether the C library acquires a plain mutex as [`acquire`] does, and no other library is interposed in between.
#[inline]
pub fn is_understood() -> bool {
    // Relaxed: a thread that checks again gets the same result.
    match UNDERSTOOD.load(Relaxed) {
        YES => true,
        UNKNOWN => find_out(),
        _ => false,
    }
}

#[cold]
#[inline(never)]
fn find_out() -> bool {
    let is = is_the_c_librarys_own() && does_the_same();
    UNDERSTOOD.store(if is { YES } else { NO }, Relaxed);
    is
}

/// Whether the functions found are the C library's own.
fn is_the_c_librarys_own() -> bool {
    let functions = [
        real::MUTEX_LOCK.address(),
        real::MUTEX_TRYLOCK.address(),
        real::MUTEX_UNLOCK.address(),
    ];
    functions.iter().all(|&function| {
        let mut found = MaybeUninit::<Dl_info>::zeroed();
        // SAFETY: the structure is filled by the callee, which takes any address.
        let is_found = unsafe { dladdr(function, found.as_mut_ptr()) } != 0;
        // SAFETY: zeros are a valid value.
        let file = unsafe { found.assume_init() }.dli_fname;
        // SAFETY: dladdr gives a string of a module that stays loaded.
        is_found && !file.is_null() && is_the_c_library(unsafe { CStr::from_ptr(file) }.to_bytes())
    })
}

/// Before release 2.34, threads were in a separate library.
fn is_the_c_library(path: &[u8]) -> bool {
    let name = path.rsplit(|&it| it == b'/').next().unwrap_or(path);
    [
        &b"libc.so."[..],
        b"libc-2.",
        b"libpthread.so.",
        b"libpthread-2.",
    ]
    .iter()
    .any(|begin| name.starts_with(begin))
}

/// Whether the C library's attempt leaves the same words in a mutex as [`acquire`] does, and its release undoes them.
fn does_the_same() -> bool {
    let (Some(trylock), Some(unlock)) = (real::MUTEX_TRYLOCK.get(), real::MUTEX_UNLOCK.get())
    else {
        return false;
    };
    // SAFETY: zeros are a mutex of the default kind, as its static initialiser says.
    let (mut theirs, mut ours): (pthread_mutex_t, pthread_mutex_t) =
        unsafe { (zeroed(), zeroed()) };
    let (theirs, ours) = (from_mut(&mut theirs), from_mut(&mut ours));
    let words = |mutex| {
        // SAFETY: the words of one of these two mutexes.
        [WORD, TIMES, OWNER, USERS, KIND].map(|offset| unsafe { word(mutex, offset) })
    };
    // SAFETY: both mutexes are this function's own, and W1 is what it finds out.
    unsafe {
        let mut is_same = trylock(theirs) == 0 && acquire(ours, sys::tid());
        is_same &= words(theirs) == words(ours) && words(ours)[0] == 1;
        is_same &= trylock(ours) == libc::EBUSY;
        is_same &= unlock(theirs) == 0 && unlock(ours) == 0;
        is_same && words(theirs) == [0; 5] && words(ours) == [0; 5]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_c_library_does_what_we_do() {
        assert!(does_the_same());
        assert!(is_understood());
    }

    #[test]
    fn other_libraries_are_not_taken_for_it() {
        for (path, expected) in [
            ("/lib/x86_64-linux-gnu/libc.so.6", true),
            ("/lib/libc-2.31.so", true),
            ("libpthread.so.0", true),
            ("/usr/lib/libpthread-2.17.so", true),
            ("/opt/libcheck.so.1", false),
            ("/libc.so.6/interposer.so", false),
            ("", false),
        ] {
            assert_eq!(is_the_c_library(path.as_bytes()), expected, "{path}");
        }
    }

    #[test]
    fn a_taken_mutex_stays_as_it_is() {
        // SAFETY: zeros are a mutex of the default kind.
        let mut mutex: pthread_mutex_t = unsafe { zeroed() };
        let mutex = from_mut(&mut mutex);
        // SAFETY: the mutex is the test's own, and `this_c_library_does_what_we_do`.
        unsafe {
            assert!(is_plain(mutex) && acquire(mutex, 41));
            assert!(!acquire(mutex, 42));
            assert_eq!((word(mutex, OWNER), word(mutex, USERS)), (41, 1));
        }
    }
}
