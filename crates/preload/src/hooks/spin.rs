//! Hooks around the functions of spin locks.
//!
//! A spin lock is one word without an owner. A waiter is noted in a filter, which shows the holder that its hold must be
//! charged.

use core::ffi::c_int;

use libc::pthread_spinlock_t;
use locktoll_recording::layout::{EntryPoint, LockKind};

use super::call::{self, Call, is_waited_for};
use crate::real::{self, Function, SpinFn};

fn call(lock: *mut pthread_spinlock_t, site: usize, entry: EntryPoint) -> Call {
    Call {
        kind: LockKind::Spin,
        lock: lock as usize,
        site,
        entry,
    }
}

/// Calls a function that every C library has. If it is missing, this call comes from the look-up of it.
#[inline(always)]
unsafe fn ask(function: &Function<SpinFn>, lock: *mut pthread_spinlock_t) -> c_int {
    // SAFETY: H1.
    function.get().map_or(0, |ask| unsafe { ask(lock) })
}

pub unsafe extern "C" fn lock(lock: *mut pthread_spinlock_t, site: usize) -> c_int {
    // SAFETY: H1, all of it.
    unsafe {
        call(lock, site, EntryPoint::Lock).acquire(
            || ask(&real::SPIN_TRYLOCK, lock),
            || None,
            || ask(&real::SPIN_LOCK, lock),
        )
    }
}

pub unsafe extern "C" fn trylock(lock: *mut pthread_spinlock_t, site: usize) -> c_int {
    // SAFETY: H1, all of it.
    unsafe { call(lock, site, EntryPoint::TryLock).attempt(|| ask(&real::SPIN_TRYLOCK, lock)) }
}

pub unsafe fn unlock(lock: *mut pthread_spinlock_t) -> c_int {
    call::release(
        lock as usize,
        || is_waited_for(lock as usize),
        // SAFETY: H1.
        || unsafe { ask(&real::SPIN_UNLOCK, lock) },
    )
}

pub unsafe extern "C" fn init(lock: *mut pthread_spinlock_t, shared: c_int, site: usize) -> c_int {
    // SAFETY: H1.
    let result = real::SPIN_INIT
        .get()
        .map_or(0, |init| unsafe { init(lock, shared) });
    // SAFETY: H1.
    unsafe { call::note_init(LockKind::Spin, lock as usize, site, result) };
    result
}
