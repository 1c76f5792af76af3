//! The clocks, and the time that is added to a hold.
//!
//! Time in which the holder ran is added by running: the thread works until its share is over. Time in which it did not run (it
//! waited for a disk, or for another thread) is added by sleeping, so that the addition takes no more from the processors than a
//! longer hold of that kind would. To separate the two, the thread's CPU time is read at both ends of a hold, which takes system
//! calls; so this is done only for locks that are usually held long.

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use rustix::thread::{NanosleepRelativeResult, Timespec, nanosleep};
use rustix::time::{ClockId, clock_gettime};

use crate::sandbox;

/// A hold is long from here on: the two readings of CPU time take less than a twentieth of it.
const LONG_NS: u64 = 20_000;

/// Work longer than this is measured by CPU time, so another thread that takes the CPU does not shorten it.
const LONG_WORK_NS: i64 = 50_000;

/// Shorter sleeps are not worth their system call.
const LEAST_SLEEP_NS: i64 = 20_000;

/// The percentage that is added.
static PERCENT: AtomicU64 = AtomicU64::new(0);

/// What one reading of the clock takes.
static READING_NS: AtomicU64 = AtomicU64::new(0);

/// A moving average of the holds.
static TYPICAL_NS: AtomicU64 = AtomicU64::new(0);

/// Sets the percentage, and measures the clock.
pub fn start(percent: u32) {
    let mut least = u64::MAX;
    let mut before = now();
    for _ in 0..64 {
        let after = now();
        least = least.min(after - before);
        before = after;
    }
    // Relaxed, here and in this file: each is a number of its own, and threads that start at once store the same or equally good
    // ones.
    READING_NS.store(least, Relaxed);
    PERCENT.store(percent.into(), Relaxed);
}

/// Returns the time, in nanoseconds. No system call where the kernel's vDSO has the clock.
#[inline]
pub fn now() -> u64 {
    nanoseconds(ClockId::Monotonic)
}

/// Returns the CPU time of the calling thread if holds are usually long, otherwise 0.
#[inline]
pub fn cpu_if_long() -> u64 {
    match TYPICAL_NS.load(Relaxed) {
        ..LONG_NS => 0,
        _ if sandbox::is_entered() => 0,
        _ => nanoseconds(ClockId::ThreadCPUTime),
    }
}

fn nanoseconds(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

/// What a thread still has to add. Negative where it has added too much: a sleep lasts longer than asked for, and a reading of
/// the clock is the shortest piece of work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Owed {
    running_ns: i64,
    sleeping_ns: i64,
}

/// A hold, as measured by its thread.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// From the acquisition to the release.
    pub ns: u64,
    /// In which the thread ran, if the CPU time was read.
    pub cpu_ns: Option<u64>,
}

/// Lengthens a hold. Returns how much was added, in time and in CPU time.
pub fn add(held: Held, owed: &mut Owed) -> (u64, u64) {
    let (running, sleeping) = split(held);
    let percent = PERCENT.load(Relaxed);
    if percent == 0 {
        return (0, 0);
    }
    let share = |ns: u64| (ns.saturating_mul(percent) / 100).cast_signed();
    owed.running_ns += share(running);
    owed.sleeping_ns += share(sleeping);
    let reading_ns = READING_NS.load(Relaxed).max(1).cast_signed();
    let mut added = (0, 0);
    if owed.running_ns >= reading_ns {
        let asked = owed.running_ns;
        let worked = work(asked);
        // A thread that loses its CPU while it works has not done more work.
        owed.running_ns -= worked.cast_signed().min(asked + 2 * reading_ns);
        added = (worked, worked);
    }
    if owed.sleeping_ns >= LEAST_SLEEP_NS && !sandbox::is_entered() {
        let slept = sleep(owed.sleeping_ns);
        owed.sleeping_ns -= slept.cast_signed().min(2 * owed.sleeping_ns);
        added.0 += slept;
    }
    added
}

/// Separates the time of a hold in which the thread ran from the rest, and adds the hold to the average.
fn split(held: Held) -> (u64, u64) {
    let ns = held.ns.saturating_sub(READING_NS.load(Relaxed));
    let typical = TYPICAL_NS.load(Relaxed);
    let difference = ns.cast_signed() - typical.cast_signed();
    // Rounded upwards, so that a hold that is longer always counts.
    let moved = typical.cast_signed() + difference / 16 + difference.signum();
    TYPICAL_NS.store(moved.max(0).cast_unsigned(), Relaxed);
    match held.cpu_ns {
        Some(cpu_ns) => (cpu_ns.min(ns), ns.saturating_sub(cpu_ns)),
        // A long hold of a lock with short ones: its thread lost its CPU, and the kernel chose for how long.
        None => (ns.min(typical.max(LONG_NS)), 0),
    }
}

/// Works for `ns`. Returns how long it took.
fn work(ns: i64) -> u64 {
    let clock = match ns {
        LONG_WORK_NS.. if !sandbox::is_entered() => ClockId::ThreadCPUTime,
        _ => ClockId::Monotonic,
    };
    let began = nanoseconds(clock);
    loop {
        let passed = nanoseconds(clock) - began;
        if passed.cast_signed() >= ns {
            return passed;
        }
        core::hint::spin_loop();
    }
}

/// Sleeps for `ns`, or until a signal handler runs. Returns how long it took.
fn sleep(ns: i64) -> u64 {
    let began = now();
    let time = Timespec {
        tv_sec: ns / 1_000_000_000,
        tv_nsec: ns % 1_000_000_000,
    };
    match nanosleep(&time) {
        NanosleepRelativeResult::Ok
        | NanosleepRelativeResult::Interrupted(_)
        | NanosleepRelativeResult::Err(_) => now() - began,
    }
}
