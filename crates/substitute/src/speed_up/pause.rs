//! How a thread pays: it pauses.

use core::num::NonZeroU64;

use rustix::thread::{Timespec, current_timer_slack, nanosleep, set_current_timer_slack};

use super::crowd;
use super::saved::{self, Saved, clock};
use crate::sandbox;

/// How a thread sleeps while it pauses.
struct Sleep {
    /// A longer pause is slept.
    long_ns: i64,
    /// The kernel wakes a thread so much later than asked for.
    late_ns: i64,
    /// After a sleep, so much may remain unpaid until the next payment.
    left_ns: i64,
}

/// Where the process leaves CPUs idle, a thread that pauses soon leaves its own, too: threads that are being woken need one, and so
/// do the clients of a server.
static EARLY: Sleep = Sleep {
    long_ns: 80_000,
    late_ns: 10_000,
    left_ns: 5_000,
};

/// Where threads compete for the CPUs, a thread keeps its own for longer: while it sleeps, another one would run in its place, and the
/// pause would not delay the program.
static LATER: Sleep = Sleep {
    long_ns: 200_000,
    late_ns: 60_000,
    left_ns: 30_000,
};

/// A pause that took longer than it should counts for what is saved later, up to this: the thread lost its CPU because it paused.
const MOST_TOO_MUCH_NS: i64 = 5_000_000;

/// Pauses until everything that has been saved is paid, also what is saved in the meantime. Returns what is paid then.
pub fn pay(paid: Saved) -> Saved {
    let began = clock();
    let first = saved::now(|| began).minus(paid);
    // Several threads may save more than one second per second, and they may wait for this one in a way that is not known.
    let most = 4 * first + LATER.long_ns;
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
        match how_to_sleep(left, now) {
            Some(how) => {
                sleep(left - how.late_ns);
                enough = how.left_ns;
            }
            None => core::hint::spin_loop(),
        }
    }
}

/// Returns how a pause of this length is slept. `None` if the thread keeps its CPU.
fn how_to_sleep(left_ns: i64, now_ns: u64) -> Option<&'static Sleep> {
    if left_ns <= EARLY.long_ns || sandbox::is_entered() {
        return None;
    }
    let how = match crowd::is_crowded(now_ns) {
        true => &LATER,
        false => &EARLY,
    };
    (left_ns > how.long_ns).then_some(how)
}

/// Sleeps, and is woken as soon after this time as the kernel can: without the slack that it otherwise adds to it (50 us by default,
/// `PR_SET_TIMERSLACK` in prctl(2)).
fn sleep(ns: i64) {
    let time = Timespec {
        tv_sec: ns / 1_000_000_000,
        tv_nsec: ns % 1_000_000_000,
    };
    // None: a thread with a real-time policy has no slack.
    let slack = current_timer_slack().ok().and_then(NonZeroU64::new);
    if slack.is_some() {
        let _ = set_current_timer_slack(Some(NonZeroU64::MIN));
    }
    // An interrupted sleep is continued by the caller's loop.
    let _ = nanosleep(&time);
    // A signal handler that does not return leaves the thread without slack, and it is then woken earlier from its own sleeps.
    if slack.is_some() {
        let _ = set_current_timer_slack(slack);
    }
}
