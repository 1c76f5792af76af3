//! The processor's own counter, which measures the length of holds.
//!
//! It costs half as much as the clock, and two readings of the clock take longer than most holds. It is used if it runs at a
//! constant rate on all processors; otherwise the clock replaces it. The length of a tick in nanoseconds is computed from
//! readings of both at the beginning and again later. After a millisecond it is exact to a few hundredths of a per cent, and
//! after [`SETTLED_NS`] it does not change any more.

use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU64};

use crate::clock;

/// After this time the rate is known to one part in a million.
const SETTLED_NS: u64 = 100_000_000;
/// The rate is stored as nanoseconds per tick, times this.
const ONE: u128 = 1 << 32;

/// The result of [`is_steady`].
static IS_STEADY: AtomicBool = AtomicBool::new(false);

/// Reads the counter. The reading is not ordered with the instructions around it: a hold of a few nanoseconds may seem a few
/// nanoseconds shorter or longer.
#[inline(always)]
pub fn now() -> u64 {
    // Relaxed: it is stored before anything is timed.
    if IS_STEADY.load(Relaxed) {
        counter()
    } else {
        clock::monotonic_ns()
    }
}

/// Reads the clock and the counter at one moment: nanoseconds, and ticks. Of three readings, it returns the one that took the shortest
/// time: an interrupted reading is wrong by as much as the interruption took.
pub fn with_clock() -> (u64, u64) {
    let read = || {
        let before = now();
        let ns = clock::monotonic_ns();
        let took = now().saturating_sub(before);
        (took, ns, before + took / 2)
    };
    let (first, second, third) = (read(), read(), read());
    let (_, ns, ticks) = first.min(second).min(third);
    (ns, ticks)
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn counter() -> u64 {
    // SAFETY: the instruction reads a counter; where it is forbidden (prctl(2), PR_SET_TSC), the C library's own clock would
    // fail too.
    unsafe { core::arch::x86_64::_rdtsc() }
}

#[cfg(target_arch = "aarch64")]
#[inline(always)]
fn counter() -> u64 {
    let ticks;
    // SAFETY: reads a counter that the kernel lets every program read.
    unsafe {
        core::arch::asm!("mrs {}, cntvct_el0", out(reg) ticks, options(nomem, nostack, preserves_flags));
    }
    ticks
}

/// The length of a tick. All zeros means not started.
pub struct Ticks {
    first_ticks: AtomicU64,
    first_ns: AtomicU64,
    /// Nanoseconds per tick, times [`ONE`]; zero until the rate has settled.
    rate: AtomicU64,
    /// The length that is measured for an empty hold.
    cost: AtomicU64,
}

impl Ticks {
    /// Begins to count, before any thread reads.
    pub fn start(&self) {
        IS_STEADY.store(is_steady(), Relaxed);
        let cost = (0..32).map(|_| {
            let before = now();
            now().saturating_sub(before)
        });
        // Relaxed throughout: the recorder's phase is stored afterwards, with release.
        self.cost.store(cost.min().unwrap_or(0), Relaxed);
        self.first_ns.store(clock::monotonic_ns(), Relaxed);
        self.first_ticks.store(now(), Relaxed);
        self.rate.store(0, Relaxed);
    }

    /// Returns the time from `since` to `until`, both from [`now`], minus the cost of reading the counter.
    pub fn ns_between(&self, since: u64, until: u64) -> u64 {
        let ticks = until
            .saturating_sub(since)
            .saturating_sub(self.cost.load(Relaxed));
        let rate = match self.rate.load(Relaxed) {
            0 => self.find_rate(),
            rate => rate,
        };
        // This is not more than 2^64, as `rate` is well below `ONE` times the nanoseconds of a tick.
        (u128::from(ticks) * u128::from(rate) / ONE) as u64
    }

    #[cold]
    fn find_rate(&self) -> u64 {
        let ns = clock::monotonic_ns().saturating_sub(self.first_ns.load(Relaxed));
        let ticks = now().saturating_sub(self.first_ticks.load(Relaxed));
        let rate = (u128::from(ns) * ONE / u128::from(ticks.max(1))) as u64;
        if ns >= SETTLED_NS {
            self.rate.store(rate, Relaxed);
        }
        rate
    }
}

/// Whether the counter runs at a constant rate, on all processors at once.
#[cfg(target_arch = "x86_64")]
fn is_steady() -> bool {
    use core::arch::x86_64::{__cpuid, __get_cpuid_max};
    const LEAF: u32 = 0x8000_0007;
    const INVARIANT: u32 = 1 << 8;
    __get_cpuid_max(0x8000_0000).0 >= LEAF && __cpuid(LEAF).edx & INVARIANT != 0
}

/// Whether the counter runs at a constant rate, on all processors at once. The architecture guarantees it.
#[cfg(target_arch = "aarch64")]
fn is_steady() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_readings_are_taken_within_the_call() {
        let before = (clock::monotonic_ns(), now());
        let (ns, ticks) = with_clock();
        let after = (clock::monotonic_ns(), now());
        assert!((before.0..=after.0).contains(&ns) && (before.1..=after.1).contains(&ticks));
    }

    #[test]
    fn a_time_by_the_counter_is_that_of_the_clock() {
        // SAFETY: zeros are a valid value.
        let ticks: Ticks = unsafe { core::mem::zeroed() };
        ticks.start();
        for _ in 0..3 {
            let (since_ns, since) = (clock::monotonic_ns(), now());
            while clock::monotonic_ns() < since_ns + 5_000_000 {}
            let (until_ns, until) = (clock::monotonic_ns(), now());
            let (by_clock, by_counter) = (until_ns - since_ns, ticks.ns_between(since, until));
            let ratio = by_counter as f64 / by_clock as f64;
            assert!((ratio - 1.0).abs() < 0.02, "{by_counter} for {by_clock}");
        }
    }
}
