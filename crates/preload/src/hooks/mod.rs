//! The work around each function of the C library. No other room decides what is counted.
//!
//! | call | counted |
//! |---|---|
//! | any lock function that returns 0 or `EOWNERDEAD` | one acquisition; the thread holds the lock from then on |
//! | the same after it had to wait | one contended acquisition, and the wait |
//! | a lock function with a deadline that returns `ETIMEDOUT` | one wait given up, and its time |
//! | an attempt (`trylock`) that returns `EBUSY`, `sem_trywait` with `EAGAIN` | one failed attempt |
//! | a release by the thread that holds the lock | the end of its hold |
//! | `sem_post` | one release if the calling thread had taken a unit, else one post |
//! | a wait for a condition that returns with the mutex locked | one wait of the condition variable, one acquisition of the mutex |
//! | a wait for a barrier | one wait, which is not contention; the last thread to arrive does not wait |
//! | a wait at a futex word that returns 0, or whose deadline passes | one wait, and its time |
//! | a wait at a futex word that has changed already (`EAGAIN`) | one wait that took no time |
//! | a signal, a broadcast, a wake at a futex word | one call |
//! | the start of a thread | the beginning of its life, and the function that it runs |
//! | a system call that may block, while locks are held | one system call for each of them |
//! | a lock function that acquires while other locks are held, or a wait for a condition meanwhile | one event in the order of locks |
//! | fork(2) while other threads hold locks | one event in the order of locks for each of these threads |
//! | a wait that ends in another way, such as by a signal (`EINTR`) | only the thread's time |
//! | anything that returns another error | nothing |
//!
//! Whether a lock function has to wait is found by trying first: the attempt has the effects of the lock function if the
//! lock is free, and none otherwise (POSIX.1-2017). If the attempt returns anything but "acquired" and "busy", the real
//! lock function is called, and the program gets its return value.
//!
//! # Invariants
//!
//! - **H1** The caller passes the arguments that the program passed to the function of the same name, and as `site` the
//!   address to which that call returns. Every `unsafe` function here requires this of its caller; a function that requires
//!   more says so.
//! - **H2** A record is found before the lock is acquired, so that a hold becomes longer by only a few additions.

pub mod barrier;
pub mod blocking;
pub mod c11;
mod call;
pub mod condition;
pub mod ending;
pub mod forking;
pub mod futex;
pub mod loading;
pub mod mutex;
pub mod post;
pub mod privilege;
pub mod rwlock;
pub mod sandbox;
pub mod semaphore;
pub mod spin;
pub mod threads;

use core::ffi::{c_int, c_long};

use libc::{EOWNERDEAD, clockid_t, timespec};

/// Whether `result` means that the caller holds the lock.
pub(crate) fn is_acquired(result: c_int) -> bool {
    // A robust mutex whose owner died has been acquired all the same: pthread_mutex_lock(3p).
    result == 0 || result == EOWNERDEAD
}

/// Whether the C library accepts `clock` as a clock for deadlines.
pub(crate) fn is_clock_for_deadlines(clock: clockid_t) -> bool {
    clock == libc::CLOCK_REALTIME || clock == libc::CLOCK_MONOTONIC
}

/// Whether the C library accepts `deadline` as a valid time.
///
/// # Safety
/// H1, and the program called a function that reads the deadline before anything else.
pub(crate) unsafe fn is_time(deadline: *const timespec) -> bool {
    const SECOND_NS: c_long = 1_000_000_000;
    // SAFETY: the caller's promise.
    (0..SECOND_NS).contains(&unsafe { (*deadline).tv_nsec })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_clocks_and_times_are_told_apart() {
        let results = [0, EOWNERDEAD, libc::EBUSY].map(is_acquired);
        assert_eq!(results, [true, true, false]);
        let clocks = [
            libc::CLOCK_REALTIME,
            libc::CLOCK_MONOTONIC,
            libc::CLOCK_BOOTTIME,
        ];
        let clocks = clocks.map(is_clock_for_deadlines);
        assert_eq!(clocks, [true, true, false]);
        let times = [-1, 0, 999_999_999, 1_000_000_000].map(|tv_nsec| {
            let time = timespec {
                tv_sec: -5,
                tv_nsec,
            };
            // SAFETY: the test's own time.
            unsafe { is_time(&raw const time) }
        });
        assert_eq!(times, [false, true, true, false]);
    }
}
