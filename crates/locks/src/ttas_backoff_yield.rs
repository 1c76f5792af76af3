//! Test-and-test-and-set with exponential back-off that ends in yielding.
//!
//! As [`TtasBackoff`](crate::TtasBackoff), but once a waiter's pauses have grown to the cap, it yields the processor
//! (`sched_yield`) before each further look: with more threads than processors, a holder that has been preempted gets to run.
//! A waiter spins for about twice the cap in all, so none burns a time slice.
//!
//! | word | meaning |
//! |---|---|
//! | 0 `FREE` | nobody holds the lock |
//! | 1 `HELD` | somebody does |
//!
//! # Invariants
//!
//! - **I1** The thread whose exchange turned `FREE` into `HELD` is the holder.
//! - **I2** Only the holder stores `FREE`.
//!
//! Source: the back-off of T. E. Anderson, "The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors", IEEE
//! TPDS 1(1), 1990, with the yield of Intel's white paper (see [`TtasCapped`](crate::TtasCapped)).

use crate::backoff::ExponentialThenYield;
use crate::raw::impl_raw_mutex;
use crate::raw_timed::look_until;
use crate::sync::{AtomicU32, Ordering, const_fn};
use crate::{Deadline, ForkLock, RawLock, TimedLock};

const FREE: u32 = 0;
const HELD: u32 = 1;

/// A spin lock whose waiters look at it more and more seldom, and then yield between looks.
#[derive(Debug)]
pub struct TtasBackoffYield {
    word: AtomicU32,
    cap: u32,
}

impl TtasBackoffYield {
    /// The longest pause before yields take its place, in spin units, unless set otherwise: about 1.6 us, less than two
    /// context switches.
    pub const DEFAULT_SPIN: u32 = 64;

    const_fn! {
        /// A free lock.
        pub fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// A free lock whose waiters pause for less than `cap` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) between two
        /// looks, and then yield.
        pub fn with_spin(cap: u32) -> Self {
            Self { word: AtomicU32::new(FREE), cap }
        }
    }

    #[cold]
    fn lock_contended(&self) {
        let mut backoff = ExponentialThenYield::new(self.cap);
        while !self.try_lock() {
            backoff.wait();
        }
    }
}

// SAFETY: exclusion by I1 and I2; the orderings below hand over what the holder wrote.
unsafe impl RawLock for TtasBackoffYield {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        // Acquire: pairs with the release in `unlock`.
        if self.word.swap(HELD, Ordering::Acquire) == HELD {
            self.lock_contended();
        }
    }

    #[inline]
    fn try_lock(&self) -> bool {
        // Relaxed: only the exchange acquires.
        self.word.load(Ordering::Relaxed) == FREE && self.word.swap(HELD, Ordering::Acquire) == FREE
    }

    #[inline]
    unsafe fn unlock(&self) {
        // Release: what the holder did is visible to whoever swaps FREE away.
        self.word.store(FREE, Ordering::Release);
    }

    #[inline]
    fn is_locked(&self) -> bool {
        // Relaxed: a snapshot, nothing is read on the strength of it.
        self.word.load(Ordering::Relaxed) == HELD
    }
}

// SAFETY: I1: only an exchange acquires.
unsafe impl TimedLock for TtasBackoffYield {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        let mut backoff = ExponentialThenYield::new(self.cap);
        look_until(self, deadline, || backoff.wait())
    }
}

impl ForkLock for TtasBackoffYield {
    /// The word knows of no waiters.
    fn forget_waiters(&self) {}
}

impl_raw_mutex!(TtasBackoffYield);
