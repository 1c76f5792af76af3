//! The words of a mutex in the C library.

use core::ffi::c_int;

use libc::{pthread_mutex_t, pthread_mutexattr_t};
use locktoll_recording::layout::LockKind;

use crate::hooks::call;
use crate::real;

/// The offset at which the GNU C library keeps the futex word: 0 if free, 1 if taken, more if somebody may be waiting. This is
/// part of its binary interface to the extent that static initialisers write it.
pub const WORD: usize = 0;
/// The bits of the word that hold the priority ceiling of a mutex that has one.
pub const CEILING_BITS: u32 = 0xfff8_0000;
/// The offset of the owner's thread id.
pub const OWNER: usize = 8;

/// Reads a word of the mutex, as the C library keeps it.
///
/// # Safety
/// H1, and `offset` is the offset of an aligned word in the mutex.
#[inline(always)]
pub unsafe fn word(mutex: *mut pthread_mutex_t, offset: usize) -> u32 {
    // SAFETY: the caller's promise. Others may change the word meanwhile: it is read as they write it, in one access.
    unsafe { mutex.byte_add(offset).cast::<u32>().read_volatile() }
}

pub unsafe extern "C" fn init(
    mutex: *mut pthread_mutex_t,
    attributes: *const pthread_mutexattr_t,
    site: usize,
) -> c_int {
    // SAFETY: H1.
    let result = real::MUTEX_INIT
        .get()
        .map_or(0, |init| unsafe { init(mutex, attributes) });
    // SAFETY: H1.
    unsafe { call::note_init(LockKind::Mutex, mutex as usize, site, result) };
    result
}
