//! How a thread pays: it pauses.

use rustix::thread::{Timespec, nanosleep};

use super::saved::{self, Saved, clock};
use crate::sandbox;

/// A longer pause is slept.
const LONG_NS: i64 = 200_000;
/// The kernel wakes a thread so much later than asked for (`PR_SET_TIMERSLACK` of prctl(2), and the wake-up itself).
const LATE_NS: i64 = 60_000;
/// After a sleep, so much may remain unpaid until the next payment.
const LEFT_NS: i64 = 30_000;
/// A pause that took longer than it should counts for what is saved later, up to this: the thread lost its CPU because it paused.
const MOST_TOO_MUCH_NS: i64 = 5_000_000;

/// Pauses until everything that has been saved is paid, also what is saved in the meantime. Returns what is paid then.
pub fn pay(paid: Saved) -> Saved {
    let began = clock();
    let first = saved::now(|| began).minus(paid);
    // Several threads may save more than one second per second, and they may wait for this one in a way that is not known.
    let most = 4 * first + LONG_NS;
    let mut enough = 0;
    loop {
        let now = clock();
        let passed = now.saturating_sub(began);
        let saved = saved::now(|| now);
        let left = saved.minus(paid) - passed.cast_signed();
        if left <= enough {
            let too_much = (-left).min(MOST_TOO_MUCH_NS);
            return saved.plus_signed(too_much);
        }
        if passed.cast_signed() >= most {
            return saved;
        }
        if left > LONG_NS && !sandbox::is_entered() {
            sleep(left - LATE_NS);
            enough = LEFT_NS;
        } else {
            core::hint::spin_loop();
        }
    }
}

fn sleep(ns: i64) {
    let time = Timespec {
        tv_sec: ns / 1_000_000_000,
        tv_nsec: ns % 1_000_000_000,
    };
    // An interrupted sleep is continued by the caller's loop.
    let _ = nanosleep(&time);
}
