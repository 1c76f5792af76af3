//! Hooks around the functions of reader-writer locks.
//!
//! An attempt succeeds only if the lock function would return without waiting. This includes locks that prefer writers
//! (`PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP`): there the GNU C library's attempt to read fails while a writer waits. So
//! no thread overtakes another that it would not overtake without the recorder.

use core::ffi::c_int;

use libc::{ENOSYS, clockid_t, pthread_rwlock_t, pthread_rwlockattr_t, timespec};
use locktoll_recording::layout::{EntryPoint, LockKind};

use super::call::{self, Call, is_waited_for};
use super::{is_clock_for_deadlines, is_time};
use crate::real::{self, Function, RwLockFn};

/// The offset at which the GNU C library keeps the id of the writing thread, or zero.
const WRITER: usize = 24;

fn call(lock: *mut pthread_rwlock_t, site: usize, entry: EntryPoint) -> Call {
    Call {
        kind: LockKind::RwLock,
        lock: lock as usize,
        site,
        entry,
    }
}

/// Returns the thread that holds the lock for writing.
unsafe fn writer(lock: *mut pthread_rwlock_t) -> Option<u32> {
    // SAFETY: H1: within the object, and aligned.
    let writer = unsafe { lock.byte_add(WRITER).cast::<u32>().read_volatile() };
    (writer != 0).then_some(writer)
}

/// Calls a function that every C library has. If it is missing, this call comes from the look-up of it.
#[inline(always)]
unsafe fn ask(function: &Function<RwLockFn>, lock: *mut pthread_rwlock_t) -> c_int {
    // SAFETY: H1.
    function.get().map_or(0, |ask| unsafe { ask(lock) })
}

/// Defines the hooks that differ between reading and writing.
macro_rules! sides {
    ($($lock:ident, $trylock:ident, $timedlock:ident, $clocklock:ident:
        $real:ident, $real_try:ident, $real_timed:ident, $real_clock:ident,
        $entry:ident, $try_entry:ident, $timed_entry:ident;)*) => {$(
        /// Waits without a deadline. Called from `site`.
        pub unsafe extern "C" fn $lock(lock: *mut pthread_rwlock_t, site: usize) -> c_int {
            // SAFETY: H1, all of it.
            unsafe {
                call(lock, site, EntryPoint::$entry).acquire(
                    || ask(&real::$real_try, lock),
                    || writer(lock),
                    || ask(&real::$real, lock),
                )
            }
        }

        /// Does not wait. Called from `site`.
        pub unsafe extern "C" fn $trylock(lock: *mut pthread_rwlock_t, site: usize) -> c_int {
            // SAFETY: H1, all of it.
            unsafe {
                call(lock, site, EntryPoint::$try_entry).attempt(|| ask(&real::$real_try, lock))
            }
        }

        /// Waits until a time of day. Called from `site`.
        pub unsafe extern "C" fn $timedlock(
            lock: *mut pthread_rwlock_t,
            deadline: *const timespec,
            site: usize,
        ) -> c_int {
            // SAFETY: H1, all of it.
            unsafe {
                let call = call(lock, site, EntryPoint::$timed_entry);
                with_deadline(call, &real::$real_try, lock, is_time_or_none(deadline), || {
                    real::$real_timed.get().map_or(ENOSYS, |timed| timed(lock, deadline))
                })
            }
        }

        /// Waits until a time of a clock. Called from `site`.
        pub unsafe extern "C" fn $clocklock(
            lock: *mut pthread_rwlock_t,
            clock: clockid_t,
            deadline: *const timespec,
            site: usize,
        ) -> c_int {
            // SAFETY: H1, all of it.
            unsafe {
                let call = call(lock, site, EntryPoint::$timed_entry);
                let valid = is_clock_for_deadlines(clock) && is_time_or_none(deadline);
                with_deadline(call, &real::$real_try, lock, valid, || {
                    real::$real_clock.get().map_or(ENOSYS, |timed| timed(lock, clock, deadline))
                })
            }
        }
    )*};
}

sides! {
    rdlock, tryrdlock, timedrdlock, clockrdlock:
        RWLOCK_RDLOCK, RWLOCK_TRYRDLOCK, RWLOCK_TIMEDRDLOCK, RWLOCK_CLOCKRDLOCK,
        ReadLock, TryReadLock, TimedReadLock;
    wrlock, trywrlock, timedwrlock, clockwrlock:
        RWLOCK_WRLOCK, RWLOCK_TRYWRLOCK, RWLOCK_TIMEDWRLOCK, RWLOCK_CLOCKWRLOCK,
        Lock, TryLock, TimedLock;
}

/// Whether the deadline is valid. No deadline is always valid.
unsafe fn is_time_or_none(deadline: *const timespec) -> bool {
    // SAFETY: H1.
    deadline.is_null() || unsafe { is_time(deadline) }
}

/// An invalid deadline is refused even if the lock is free, so no attempt is made then.
unsafe fn with_deadline(
    call: Call,
    try_first: &Function<RwLockFn>,
    lock: *mut pthread_rwlock_t,
    valid: bool,
    acquire: impl FnOnce() -> c_int,
) -> c_int {
    if !valid {
        let result = acquire();
        // SAFETY: H1.
        unsafe { call.note_attempt(result) };
        return result;
    }
    // SAFETY: H1, all of it.
    unsafe { call.acquire(|| ask(try_first, lock), || writer(lock), acquire) }
}

pub unsafe fn unlock(lock: *mut pthread_rwlock_t) -> c_int {
    call::release(
        lock as usize,
        || is_waited_for(lock as usize),
        // SAFETY: H1.
        || unsafe { ask(&real::RWLOCK_UNLOCK, lock) },
    )
}

pub unsafe extern "C" fn init(
    lock: *mut pthread_rwlock_t,
    attributes: *const pthread_rwlockattr_t,
    site: usize,
) -> c_int {
    // SAFETY: H1.
    let result = real::RWLOCK_INIT
        .get()
        .map_or(0, |init| unsafe { init(lock, attributes) });
    // SAFETY: H1.
    unsafe { call::note_init(LockKind::RwLock, lock as usize, site, result) };
    result
}
