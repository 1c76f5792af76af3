//! Test-and-test-and-set with capped attempts: after a bounded spin, yield the processor.
//!
//! If the holder has been preempted, spinning keeps it from running. A thread that has spun without
//! success therefore lets others run (`sched_yield`) before it spins again.
//!
//! | word | meaning |
//! |---|---|
//! | 0 `FREE` | no thread holds the lock |
//! | 1 `HELD` | a thread holds it |
//!
//! # Invariants
//!
//! - **I1** The thread whose exchange turned `FREE` into `HELD` is the holder.
//! - **I2** Only the holder stores `FREE`.
//!
//! Source: Intel, "Implementing Scalable Atomic Locks for Multi-Core Intel EM64T and IA32
//! Architectures" (white paper): back-off by a fixed number of attempts, then yield.

use crate::backoff::SpinThenYield;
use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn};
use crate::{Deadline, ForkLock, RawLock, TimedLock};
use locktoll_waiting::look_until;

const FREE: u32 = 0;
const HELD: u32 = 1;

/// A spin lock whose waiters yield the processor after each bounded spin.
///
/// ```
/// use locktoll_locks::{Mutex, TtasCapped};
///
/// // A holder that was preempted gets to run, since the waiters yield the processor.
/// static COUNT: Mutex<TtasCapped, u32> = Mutex::new(0);
/// std::thread::scope(|scope| {
///     for _ in 0..16 {
///         scope.spawn(|| *COUNT.lock() += 1);
///     }
/// });
/// assert_eq!(*COUNT.lock(), 16);
/// ```
#[derive(Debug)]
pub struct TtasCapped {
    word: AtomicU32,
    spin: u32,
}

impl TtasCapped {
    /// The default number of spin units before each yield: about 2.5 us.
    pub const DEFAULT_SPIN: u32 = 100;

    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{Mutex, TtasCapped};
        ///
        /// let scores: [Mutex<TtasCapped, u32>; 3] = [1, 2, 3].map(|score| Mutex::from_raw(TtasCapped::new(), score));
        /// *scores[0].lock() += 10;
        /// assert_eq!(*scores[0].lock(), 11);
        /// ```
        pub fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// Creates a free lock whose waiters spin for `spin` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) before each yield;
        /// with 0 they only yield.
        ///
        /// ```
        /// use locktoll_locks::{Mutex, TtasCapped};
        ///
        /// // A waiter never spins: each time that it finds the lock held, it lets another thread run.
        /// static COUNT: Mutex<TtasCapped, u32> = Mutex::from_raw(TtasCapped::with_spin(0), 0);
        /// *COUNT.lock() += 1;
        /// ```
        pub fn with_spin(spin: u32) -> Self {
            Self { word: AtomicU32::new(FREE), spin }
        }
    }

    #[cold]
    fn lock_contended(&self) {
        let mut backoff = SpinThenYield::new(self.spin);
        while !self.try_lock() {
            backoff.wait();
        }
    }
}

// SAFETY: exclusion by I1 and I2; the orderings below pass on what the holder wrote.
unsafe impl RawLock for TtasCapped {
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
        // Release: what the holder did is visible to the thread that replaces FREE.
        self.word.store(FREE, Ordering::Release);
    }

    #[inline]
    fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        self.word.load(Ordering::Relaxed) == HELD
    }
}

// SAFETY: `try_lock` acquires, or nothing does.
unsafe impl TimedLock for TtasCapped {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        let mut backoff = SpinThenYield::new(self.spin);
        look_until(self, deadline, || backoff.wait())
    }
}

impl ForkLock for TtasCapped {
    /// The word does not store waiters.
    unsafe fn forget_waiters(&self) {}
}

impl_raw_mutex!(TtasCapped);
