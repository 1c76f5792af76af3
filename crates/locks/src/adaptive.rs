//! A futex lock that learns how long to spin.
//!
//! Each contended acquisition spins up to a little more than twice the learned length, and then moves the learned length an
//! eighth of the way towards the length that it needed this time. If spinning pays, the bound grows; if not, each failure
//! still costs at most the limit.
//!
//! The word is a [`Futex3`]'s, with its states and invariants. In addition:
//!
//! | field | meaning |
//! |---|---|
//! | `learned` | the running mean of units spun before an acquisition; 0 at first |
//!
//! # Invariants
//!
//! - **I1** Exclusion and wake-ups depend on `Futex3` alone; `learned` is a hint, and any value of it is safe.
//!
//! Unlike glibc's counts, the spinning is measured in time (see
//! [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS)).
//!
//! Source: glibc's `PTHREAD_MUTEX_ADAPTIVE_NP` (`pthread_mutex_lock`; tunable
//! `glibc.pthread.mutex_spin_count`).

use crate::backoff::SpinBudget;
use crate::futex3::Futex3;
use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn};
use crate::{Deadline, ForkLock, RawLock, TimedLock};

/// What is allowed beyond twice the learned length, so that learning can start from 0.
const HEADROOM: u32 = 10;
/// The weight of the newest acquisition is one eighth.
const WEIGHT: i64 = 8;

/// A parking lock with a learned spin length.
///
/// ```
/// use locktoll_locks::{Adaptive, Mutex};
///
/// static HITS: Mutex<Adaptive, u64> = Mutex::new(0);
/// std::thread::scope(|scope| {
///     for _ in 0..4 {
///         scope.spawn(|| *HITS.lock() += 1);
///     }
/// });
/// // The length that the next waiter spins has been learned from these waits.
/// assert_eq!(*HITS.lock(), 4);
/// ```
#[derive(Debug)]
pub struct Adaptive {
    inner: Futex3,
    learned: AtomicU32,
    limit: u32,
}

impl Adaptive {
    /// The longest spin by default, in units: about 2.5 us (glibc's count is also 100).
    pub const DEFAULT_SPIN: u32 = 100;

    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{Adaptive, Mutex};
        ///
        /// // The same as `Mutex::new(0)`. The lock has learned nothing yet.
        /// static HITS: Mutex<Adaptive, u64> = Mutex::from_raw(Adaptive::new(), 0);
        /// assert!(!HITS.is_locked());
        /// ```
        pub fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// Creates a free lock whose waiters never spin longer than `limit` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS).
        ///
        /// ```
        /// use locktoll_locks::{Adaptive, Mutex, SPIN_UNIT_NS};
        ///
        /// // Whatever the lock learns, a waiter sleeps after 10 us of spinning.
        /// const LIMIT: u32 = 10_000 / SPIN_UNIT_NS;
        /// static HITS: Mutex<Adaptive, u64> = Mutex::from_raw(Adaptive::with_spin(LIMIT), 0);
        /// *HITS.lock() += 1;
        /// ```
        pub fn with_spin(limit: u32) -> Self {
            Self { inner: Futex3::new(), learned: AtomicU32::new(0), limit }
        }
    }

    /// Waits until the lock is acquired (`true`), or until the deadline if there is one.
    #[cold]
    fn lock_contended(&self, deadline: Option<&Deadline>) -> bool {
        // Relaxed, here and below: a hint (I1). Two threads may overwrite each other's value.
        let learned = self.learned.load(Ordering::Relaxed);
        let bound = learned
            .saturating_mul(2)
            .saturating_add(HEADROOM)
            .min(self.limit);
        let mut budget = SpinBudget::new(bound);
        let acquired = self.inner.spin(&mut budget) || self.inner.park(deadline);
        // Nothing about the lock is learned from a preemption while spinning, so the value never exceeds the bound.
        let spent = budget.spent().min(bound);
        self.learned.store(drift(learned, spent), Ordering::Relaxed);
        acquired
    }
}

/// Returns `learned`, moved an eighth of the way to `spent`.
fn drift(learned: u32, spent: u32) -> u32 {
    let step = (i64::from(spent) - i64::from(learned)) / WEIGHT;
    u32::try_from(i64::from(learned) + step).unwrap_or(0)
}

// SAFETY: I1.
unsafe impl RawLock for Adaptive {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        if !self.inner.try_lock() {
            self.lock_contended(None);
        }
    }

    #[inline]
    fn try_lock(&self) -> bool {
        self.inner.try_lock()
    }

    #[inline]
    unsafe fn unlock(&self) {
        // SAFETY: held, by the caller's promise, so `inner` is held.
        unsafe { self.inner.unlock() }
    }

    #[inline]
    fn is_locked(&self) -> bool {
        self.inner.is_locked()
    }
}

// SAFETY: I1.
unsafe impl TimedLock for Adaptive {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        self.inner.try_lock() || self.lock_contended(Some(deadline))
    }
}

impl ForkLock for Adaptive {
    unsafe fn forget_waiters(&self) {
        // SAFETY: the caller's promise.
        unsafe { self.inner.forget_waiters() };
    }
}

impl_raw_mutex!(Adaptive);

#[cfg(test)]
mod tests {
    use super::drift;

    #[test]
    fn learning_goes_both_ways_and_settles() {
        assert_eq!(drift(0, 100), 12);
        assert_eq!(drift(100, 0), 88);
        assert_eq!(drift(50, 50), 50);
        let mut learned = 0;
        for _ in 0..100 {
            learned = drift(learned, 80);
        }
        assert!((73..=80).contains(&learned), "{learned}");
    }
}
