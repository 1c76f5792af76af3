//! The words of a mutex in the C library.

use core::ffi::c_int;

use libc::{pthread_mutex_t, pthread_mutexattr_t};
use locktoll_recording::layout::LockKind;

use crate::hooks::call;
use crate::real;

/// Where the GNU C library keeps its futex word: 0 free, 1 taken, more if somebody may be waiting. Part of its binary
/// interface in so far as static initialisers write it.
pub const WORD: usize = 0;
/// The bits of the word that are the ceiling of a mutex that has one.
pub const CEILING_BITS: u32 = 0xfff8_0000;
/// Where it keeps the owner's thread id.
pub const OWNER: usize = 8;

/// A word of the mutex, as the C library has it.
///
/// # Safety
/// H1, and `offset` is that of an aligned word in the mutex.
#[inline(always)]
pub unsafe fn word(mutex: *mut pthread_mutex_t, offset: usize) -> u32 {
    // SAFETY: the caller's promise. Others may change it meanwhile: it is read as they write it, at once.
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
