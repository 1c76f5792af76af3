//! Windows (8 and later): WaitOnAddress.
//!
//! | operation | implemented by | resolution |
//! |---|---|---|
//! | sleep on a word | `WaitOnAddress` | |
//! | the same with a deadline | `WaitOnAddress`, in whole milliseconds | a tick of the system's timer: 0.5 to 15.6 ms |
//! | wake | `WakeByAddressSingle`, `WakeByAddressAll` | |
//! | yield the processor | `SwitchToThread`: to a thread that is ready on the same processor | |
//! | nap | a waitable timer of high resolution (Windows 10 1803), otherwise `Sleep` | 0.5 ms; with `Sleep`, a tick |
//! | clocks | `QueryPerformanceCounter`, `GetSystemTimePreciseAsFileTime` | 100 ns |
//!
//! # Invariants
//!
//! - **W1** (for P1) `WaitOnAddress` registers the sleeper before it compares the word, so that a wake after a change finds
//!   the sleeper, or the sleeper finds the change.
//! - **W2** (for P2) It may return although the word is the same: its documentation says so.
//! - **W3** (for P4) Sleepers are kept in a table by address within the process; a wake searches there, and does not read the
//!   memory at the address. The documentation does not promise this; every version so far does it (R. Chen, "A peek behind the
//!   curtain of WaitOnAddress", 2016), and the standard library's own locks depend on it.
//!
//! Source: the documentation of `synchapi.h`; R. Chen's articles on WaitOnAddress (The Old New Thing, August 2016).

mod clock;
mod quota;

use core::ptr::{from_ref, null};
use core::sync::atomic::AtomicU32;

use windows_sys::Win32::Foundation::{CloseHandle, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, CreateWaitableTimerExW, INFINITE, SetWaitableTimer,
    Sleep, SwitchToThread, TIMER_ALL_ACCESS, WaitForSingleObject, WaitOnAddress, WakeByAddressAll,
    WakeByAddressSingle,
};

use super::DeadlineClock;

pub use clock::now;
pub use quota::runs_two;

const NS_PER_MS: u64 = 1_000_000;

/// The longest sleep by the time of day: its end does not move when the clock is set.
const LONGEST_BY_TIME_OF_DAY_MS: u32 = 1_000;

/// Sleeps if the word is `expected`, until woken.
#[inline]
pub fn sleep(word: &AtomicU32, expected: u32) {
    wait_on(word, expected, INFINITE);
}

/// Sleeps until woken, or until about the time when the clock shows these seconds and nanoseconds since its zero. Whatever
/// ends the sleep means "check again" (P2).
pub fn sleep_until(word: &AtomicU32, expected: u32, clock: DeadlineClock, since_zero: (i64, i64)) {
    let most_ms = match clock {
        DeadlineClock::Realtime => LONGEST_BY_TIME_OF_DAY_MS,
        DeadlineClock::Monotonic => INFINITE - 1,
    };
    wait_on(
        word,
        expected,
        whole_milliseconds(clock.remaining_ns(since_zero), most_ms),
    );
}

/// Rounds up. If it rounded down, the last part of a millisecond would be spent reading the clock again and again.
fn whole_milliseconds(nanoseconds: u64, most: u32) -> u32 {
    u32::try_from(nanoseconds.div_ceil(NS_PER_MS))
        .unwrap_or(most)
        .min(most)
}

#[inline]
fn wait_on(word: &AtomicU32, expected: u32, milliseconds: u32) {
    // SAFETY: W1: it compares four bytes with four, both valid during the call. The caller does not distinguish a timeout from
    // a wake (P2).
    unsafe {
        WaitOnAddress(
            from_ref(word).cast(),
            from_ref(&expected).cast(),
            size_of::<u32>(),
            milliseconds,
        )
    };
}

/// Wakes one thread that sleeps on the word, if there is one.
#[inline]
pub fn wake_one(word: &AtomicU32) {
    // SAFETY: W3: only an address.
    unsafe { WakeByAddressSingle(from_ref(word).cast()) };
}

/// Wakes all threads that sleep on the word.
#[inline]
pub fn wake_all(word: &AtomicU32) {
    // SAFETY: W3: only an address.
    unsafe { WakeByAddressAll(from_ref(word).cast()) };
}

/// Lets another thread that waits for this processor run.
#[inline]
pub fn yield_now() {
    // SAFETY: it takes no argument. Whether there was another thread makes no difference to the caller.
    unsafe { SwitchToThread() };
}

/// Sleeps.
pub fn nap(length_ns: u64) {
    if !nap_by_timer(length_ns) {
        // SAFETY: it takes a number.
        unsafe { Sleep(whole_milliseconds(length_ns, INFINITE - 1)) };
    }
}

/// Sleeps by a separate timer, which is as fine as the hardware's. Returns `false` if there is none.
fn nap_by_timer(length_ns: u64) -> bool {
    // SAFETY: a timer without name or attributes.
    let timer = unsafe {
        CreateWaitableTimerExW(
            null(),
            null(),
            CREATE_WAITABLE_TIMER_HIGH_RESOLUTION,
            TIMER_ALL_ACCESS,
        )
    };
    if timer.is_null() {
        return false;
    }
    // Negative: from now on, in units of 100 ns.
    let due = -length_ns.div_ceil(100).cast_signed();
    // SAFETY: the timer from above, which nothing else closes; it fires once, and calls nothing.
    unsafe {
        let has_slept = SetWaitableTimer(timer, &raw const due, 0, None, null(), 0) != 0
            && WaitForSingleObject(timer, INFINITE) == WAIT_OBJECT_0;
        CloseHandle(timer);
        has_slept
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;
    use crate::Deadline;

    #[test]
    fn a_part_of_a_millisecond_is_a_whole_one() {
        for (nanoseconds, milliseconds) in [
            (0, 0),
            (1, 1),
            (999_999, 1),
            (1_000_000, 1),
            (1_000_001, 2),
            (u64::MAX, 1_000),
        ] {
            assert_eq!(whole_milliseconds(nanoseconds, 1_000), milliseconds);
        }
        // A length that happens to equal the mark for "for ever" does not mean that.
        assert_eq!(whole_milliseconds(u64::MAX, INFINITE - 1), INFINITE - 1);
    }

    #[test]
    fn a_word_that_has_changed_is_not_slept_on() {
        let word = AtomicU32::new(1);
        sleep(&word, 0);
        sleep_until(&word, 1, DeadlineClock::Monotonic, (0, 0));
    }

    #[test]
    fn the_last_part_of_a_millisecond_is_slept() {
        const WAITS: u32 = 40;
        for clock in [DeadlineClock::Realtime, DeadlineClock::Monotonic] {
            let word = AtomicU32::new(0);
            let mut looks = 0;
            for _ in 0..WAITS {
                let deadline = Deadline::after(clock, Duration::from_micros(900));
                while !deadline.has_passed() {
                    sleep_until(&word, 0, clock, deadline.since_zero());
                    looks += 1;
                }
            }
            // One check for each, and another if the system's timer is ahead of the clock.
            assert!(looks < 4 * WAITS, "{looks}");
        }
    }

    #[test]
    fn naps_are_not_shorter_than_asked_for() {
        let length_ns = 3 * NS_PER_MS;
        for nap in [nap, |ns| assert!(nap_by_timer(ns))] {
            let end = Deadline::after_ns(length_ns);
            nap(length_ns);
            // The timer's clock may be behind the counter by a tick of the hardware timer.
            assert!(end.remaining_ns() < length_ns / 2);
        }
    }
}
