//! Linux: futex(2).
//!
//! Futexes are private to the process, and called through rustix, which makes the system call
//! itself: a library that interposes the C library's `syscall` (a profiler's, say) does not see the
//! calls of these locks twice, and cannot be re-entered by them.

mod giving_way;
mod quota;

use core::num::NonZeroU32;
use core::sync::atomic::AtomicU32;

use rustix::thread::{Timespec, futex, sched_getaffinity};

use super::DeadlineClock;
pub use giving_way::{is_by_futex_alone, nap, wait_by_futex_alone, yield_now};

/// Sleeps if the word is `expected`, until woken.
#[inline]
pub fn sleep(word: &AtomicU32, expected: u32) {
    // EAGAIN: the word differs; EINTR: a signal. Both are P2's "check again".
    let _ = futex::wait(word, futex::Flags::PRIVATE, expected, None);
}

/// Sleeps as long as the kernel allows; whatever ends the sleep means "check again" (P2).
pub fn sleep_until(word: &AtomicU32, expected: u32, clock: DeadlineClock, since_zero: (i64, i64)) {
    let flags = match clock {
        DeadlineClock::Realtime => futex::Flags::PRIVATE | futex::Flags::CLOCK_REALTIME,
        DeadlineClock::Monotonic => futex::Flags::PRIVATE,
    };
    // ETIMEDOUT, EAGAIN and EINTR all mean "check again".
    let _ = futex::wait_bitset(
        word,
        flags,
        expected,
        Some(&timespec(since_zero)),
        NonZeroU32::MAX,
    );
}

/// Converts the moment for the kernel, which refuses negative seconds: both clocks have passed zero.
fn timespec(since_zero: (i64, i64)) -> Timespec {
    match since_zero {
        (..0, _) => Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        },
        (tv_sec, tv_nsec) => Timespec { tv_sec, tv_nsec },
    }
}

/// Wakes one thread that sleeps on the word, if there is one.
#[inline]
pub fn wake_one(word: &AtomicU32) {
    wake(word, 1);
}

/// Wakes all threads that sleep on the word.
#[inline]
pub fn wake_all(word: &AtomicU32) {
    // The kernel interprets the count as a signed number.
    wake(word, i32::MAX as u32);
}

#[inline]
fn wake(word: &AtomicU32, count: u32) {
    // The only possible error is a word that has been unmapped since the caller released its lock (P4): then nobody sleeps on
    // it.
    let _ = futex::wake(word, futex::Flags::PRIVATE, count);
}

/// Returns the seconds and nanoseconds since the clock's zero. It calls the C library's function, which reads the clock
/// without a system call, a lock, or access to the environment.
#[inline]
pub fn now(clock: DeadlineClock) -> (i64, i64) {
    let clock = match clock {
        DeadlineClock::Realtime => libc::CLOCK_REALTIME,
        DeadlineClock::Monotonic => libc::CLOCK_MONOTONIC,
    };
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: a place for the answer. It cannot fail: every Linux has both clocks.
    unsafe { libc::clock_gettime(clock, &raw mut now) };
    (now.tv_sec, now.tv_nsec)
}

/// Whether threads of this process run at the same time: it may use two processors, and the CPU time of more than one.
pub fn runs_two() -> bool {
    // In that case neither may be asked for (G1), and most machines have two.
    if is_by_futex_alone() {
        return true;
    }
    // An error means that there are more processors than the set has room for.
    sched_getaffinity(None).map_or(true, |set| set.count() > 1) && quota::allows_two()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_gets_no_seconds_below_zero() {
        assert_eq!(timespec((-1, 5)).tv_sec, 0);
        let after = timespec((7, 5));
        assert_eq!((after.tv_sec, after.tv_nsec), (7, 5));
    }
}
