//! A gate in front of the C library's own mutex.
//!
//! The program's mutex stays the C library's, in the bytes that it always uses. The gate lies in the room behind them,
//! which the C library uses for robust and priority-inheriting mutexes only.
//!
//! | bytes of the object | contents |
//! |---|---|
//! | 0-3 | the C library's: its futex word |
//! | 8-15 | the C library's: owner and users, written and never read for this kind |
//! | 16-19 | kind: must be plain for the gate |
//! | 20-23 | this library's mark. The C library counts spins there, but only for adaptive mutexes |
//! | 24-31 | the gate's places |
//! | 32-35 | the number of places |
//!
//! Hence `PLAIN_ONLY`: in adaptive mutexes the mark and the spin count would overwrite each other; in recursive and
//! error-checking mutexes, this library stores the owner where the C library would store it too.

use core::ffi::c_int;
use core::sync::atomic::AtomicU32;
use core::sync::atomic::Ordering::Relaxed;

use libc::{clockid_t, pthread_mutex_t, timespec};
use locktoll_locks::{Deadline, DeadlineClock, ForkLock, GatePlaces, RawLock, TimedLock};

use super::room::{InPlace, fits};
use crate::real::real_function;

real_function! {
    /// pthread_mutex_lock(3).
    real_lock = MutexLock(mutex: *mut pthread_mutex_t)
}
real_function! {
    /// pthread_mutex_trylock(3).
    real_try_lock = MutexTryLock(mutex: *mut pthread_mutex_t)
}
real_function! {
    /// pthread_mutex_unlock(3).
    real_unlock = MutexUnlock(mutex: *mut pthread_mutex_t)
}
real_function! {
    /// pthread_mutex_timedlock(3).
    real_timed_lock = MutexTimedLock(mutex: *mut pthread_mutex_t, until: *const timespec)
}
real_function! {
    /// pthread_mutex_clocklock(3).
    real_clock_lock = MutexClockLock(mutex: *mut pthread_mutex_t, clock: clockid_t, until: *const timespec)
}

/// The offset of the room in its object.
const ROOM_OFFSET: usize = 24;

/// The gate. It works only in place, in a mutex's room.
#[derive(Debug)]
#[repr(C)]
pub struct Gate {
    places: GatePlaces,
    active: u32,
}

impl Gate {
    /// Returns the mutex around this gate.
    #[inline]
    fn mutex(&self) -> *mut pthread_mutex_t {
        // The program's own pointer, which existed before this one.
        core::ptr::with_exposed_provenance_mut(core::ptr::from_ref(self).addr() - ROOM_OFFSET)
    }

    /// Leaves without having acquired the mutex.
    #[cold]
    fn go_away(&self) {
        let leaving = self.places.leave();
        self.places.wake(leaving);
    }

    fn real_lock_until(&self, deadline: &Deadline) -> bool {
        let (tv_sec, tv_nsec) = deadline.since_zero();
        let until = timespec { tv_sec, tv_nsec };
        let error = match deadline.clock() {
            // SAFETY: the program's own mutex.
            DeadlineClock::Realtime => unsafe { real_timed_lock(self.mutex(), &raw const until) },
            // SAFETY: as above.
            DeadlineClock::Monotonic => unsafe {
                real_clock_lock(self.mutex(), libc::CLOCK_MONOTONIC, &raw const until)
            },
        };
        error == 0
    }
}

// SAFETY: exclusion and visibility are the C library's.
unsafe impl RawLock for Gate {
    fn new() -> Self {
        Self::with_parameter(1)
    }

    #[inline]
    fn lock(&self) {
        self.places.enter();
        // SAFETY: the program's own mutex, of the plain kind, whose lock cannot fail.
        let _: c_int = unsafe { real_lock(self.mutex()) };
    }

    #[inline]
    fn try_lock(&self) -> bool {
        self.places.try_enter() && {
            // SAFETY: the program's own mutex.
            let acquired = unsafe { real_try_lock(self.mutex()) } == 0;
            if !acquired {
                self.go_away();
            }
            acquired
        }
    }

    #[inline]
    unsafe fn unlock(&self) {
        // The place is given back while the mutex is still held: after the mutex's release, the object may no longer exist.
        // The wake-up comes after the release, and goes to an address. So a thread that was awake may come in a few steps too
        // early, and the C library makes it wait.
        let leaving = self.places.leave();
        // SAFETY: the program's own mutex, held by the caller's promise.
        let _: c_int = unsafe { real_unlock(self.mutex()) };
        self.places.wake(leaving);
    }

    #[inline]
    fn is_locked(&self) -> bool {
        // SAFETY: the first word of a mutex is nonzero while it is held. Relaxed: a snapshot.
        unsafe { AtomicU32::from_ptr(self.mutex().cast()) }.load(Relaxed) != 0
    }
}

// SAFETY: as above.
unsafe impl TimedLock for Gate {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        self.places.enter_until(deadline) && {
            let acquired = self.real_lock_until(deadline);
            if !acquired {
                self.go_away();
            }
            acquired
        }
    }
}

impl ForkLock for Gate {
    unsafe fn forget_waiters(&self) {
        // Only the holder is inside; the C library forgets its own waiters itself.
        // SAFETY: the caller's promise.
        unsafe {
            self.places
                .forget_waiters(self.active, self.is_locked().into());
        }
    }
}

const _: () = assert!(fits::<Gate>());

// SAFETY: it fits, as the line above proves; `unlock` documents what it touches last.
unsafe impl InPlace for Gate {
    const PLAIN_ONLY: bool = true;

    fn with_parameter(active: u32) -> Self {
        Self {
            places: GatePlaces::new(active.max(1)),
            active: active.max(1),
        }
    }
}
