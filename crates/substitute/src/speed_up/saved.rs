//! The time that all holds of this process have saved so far.
//!
//! One word says it for every moment: while `n` threads hold chosen locks, the saved time at the moment `t` is `sum + n * share(t)`, where
//! `share` is P per cent of a time. The beginning of a hold adds one to `n` and subtracts `share(begin)` from the sum, its end does the
//! reverse: both are one addition to the word.

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use rustix::time::{ClockId, clock_gettime};

/// The bits of the word that count threads.
const COUNT_BITS: u32 = 10;

/// The number of threads that can be counted.
pub const MOST_THREADS: usize = (1 << COUNT_BITS) - 1;

/// The sum above, the count of threads below. Sums are taken modulo 2^54 ns, which is 208 days.
static WORD: AtomicU64 = AtomicU64::new(0);

/// The percentage by which holds are sped up.
static PERCENT: AtomicU64 = AtomicU64::new(0);

/// What one reading of the clock takes, in nanoseconds.
static READING_NS: AtomicU64 = AtomicU64::new(0);

/// An amount of saved time, in nanoseconds, modulo 2^54. Amounts are compared by their differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct Saved(u64);

impl Saved {
    /// Returns the amount as a number, and the amount with a number.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// See [`Self::bits`].
    pub fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns by how many nanoseconds this amount is larger than another.
    pub fn minus(self, other: Self) -> i64 {
        (self.0.wrapping_sub(other.0) << COUNT_BITS).cast_signed() >> COUNT_BITS
    }

    /// Returns an amount that is larger by `ns`.
    pub fn plus(self, ns: u64) -> Self {
        Self(self.0.wrapping_add(ns))
    }

    /// Returns an amount that is larger by `ns`, or smaller.
    pub fn plus_signed(self, ns: i64) -> Self {
        Self(self.0.wrapping_add_signed(ns))
    }
}

/// Sets the percentage, and measures the clock.
pub fn start(percent: u32) {
    let mut least = u64::MAX;
    let mut before = clock();
    for _ in 0..64 {
        let after = clock();
        least = least.min(after - before);
        before = after;
    }
    // Relaxed, here and in this file: each word passes on nothing but itself.
    READING_NS.store(least.max(1), Relaxed);
    PERCENT.store(percent.into(), Relaxed);
}

/// Forgets all holds: the threads that had them are not in this process.
pub fn reset() {
    WORD.store(0, Relaxed);
}

/// Returns the time, in nanoseconds.
#[inline]
pub fn clock() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    time.tv_sec.cast_unsigned() * 1_000_000_000 + time.tv_nsec.cast_unsigned()
}

/// Returns what one reading of the clock takes, in nanoseconds.
pub fn reading_ns() -> u64 {
    READING_NS.load(Relaxed)
}

/// Returns the share of a time that is saved.
pub fn share(ns: u64) -> u64 {
    ns.wrapping_mul(PERCENT.load(Relaxed)) / 100
}

/// Returns the saved time at the moment `clock` returns, or now if that does not matter.
#[inline]
pub fn now(clock: impl FnOnce() -> u64) -> Saved {
    let word = WORD.load(Relaxed);
    let sum = word >> COUNT_BITS;
    match word & MOST_THREADS as u64 {
        0 => Saved(sum),
        count => Saved(sum.wrapping_add(count.wrapping_mul(share(clock())))),
    }
}

/// A thread begins to save time at this moment.
pub fn begin(at_ns: u64) {
    let sum = share(at_ns).wrapping_neg() << COUNT_BITS;
    WORD.fetch_add(sum.wrapping_add(1), Relaxed);
}

/// A thread ends to save time at this moment.
pub fn end(at_ns: u64) {
    let sum = share(at_ns) << COUNT_BITS;
    WORD.fetch_add(sum.wrapping_sub(1), Relaxed);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_saved_while_threads_hold_and_for_each_of_them() {
        let _turn = super::super::account::turn();
        reset();
        PERCENT.store(50, Relaxed);
        let at = |ns: u64| now(|| ns);
        begin(1_000);
        assert_eq!(at(3_000).minus(at(1_000)), 1_000);
        begin(3_000);
        assert_eq!(at(4_000).minus(at(3_000)), 1_000);
        end(4_000);
        let before = at(4_000);
        end(5_000);
        assert_eq!(at(9_000).minus(before), 500);
        assert_eq!(at(9_000), Saved(2_500));
        // Beyond the end of the numbers.
        let last = Saved((1 << 54) - 1);
        assert_eq!(last.plus(3).minus(last), 3);
        assert_eq!(last.minus(last.plus(3)), -3);
        reset();
        PERCENT.store(0, Relaxed);
    }
}
