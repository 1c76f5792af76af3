//! Test-and-test-and-set with a back-off that yields the processor.
//!
//! A waiter pauses once, and then yields (`sched_yield`) before each further check: once, then twice, and so on up to a bound.
//! So no waiter uses up a time slice, and with more threads than processors a preempted holder gets to run.
//!
//! The pause is long on purpose. A waiter that checks again at once takes the lock from a holder that was about to use it
//! again, and shortly afterwards that thread takes it back. Each time, the lock and the data move from cache to cache, which
//! takes several times as long as a short critical section. A waiter that stays away for dozens of sections costs the holder
//! little. The drawback: a lock that becomes free just after the first check may stay unused for the length of the pause.
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
//! Source: T. E. Anderson, "The Performance of Spin Lock Alternatives for Shared-Memory Multiprocessors", IEEE TPDS 1(1), 1990,
//! for back-off; yielding instead of longer spinning: Intel's white paper (see [`TtasCapped`](crate::TtasCapped)).

use crate::backoff::PauseThenYields;
use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn};
use crate::{Deadline, ForkLock, RawLock, TimedLock};
use locktoll_waiting::look_until;

const FREE: u32 = 0;
const HELD: u32 = 1;

/// A spin lock whose waiters pause, and then yield more and more often between two checks.
///
/// ```
/// use locktoll_locks::{Mutex, TtasBackoffYield};
///
/// // A waiter stays away for 3 us, in which the holder may use the lock again and again.
/// static COUNT: Mutex<TtasBackoffYield, u32> = Mutex::new(0);
/// std::thread::scope(|scope| {
///     for _ in 0..4 {
///         scope.spawn(|| (0..100).for_each(|_| *COUNT.lock() += 1));
///     }
/// });
/// assert_eq!(*COUNT.lock(), 400);
/// ```
#[derive(Debug)]
pub struct TtasBackoffYield {
    word: AtomicU32,
    pause: u32,
}

impl TtasBackoffYield {
    /// The default pause, in spin units: about 3.2 us, less than a sleep and a wake-up take.
    pub const DEFAULT_SPIN: u32 = 128;

    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{RawLock, TtasBackoffYield};
        ///
        /// static LOCK: TtasBackoffYield = TtasBackoffYield::new();
        /// assert!(LOCK.try_lock());
        /// assert!(LOCK.is_locked());
        /// ```
        pub fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// Creates a free lock whose waiters pause for `pause` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) before they
        /// yield.
        ///
        /// ```
        /// use locktoll_locks::{Mutex, TtasBackoffYield};
        ///
        /// // For sections of about 1 us: a pause of 1000 units, about 25 us, covers dozens of them.
        /// static COUNT: Mutex<TtasBackoffYield, u32> = Mutex::from_raw(TtasBackoffYield::with_spin(1000), 0);
        /// *COUNT.lock() += 1;
        /// ```
        pub fn with_spin(pause: u32) -> Self {
            Self { word: AtomicU32::new(FREE), pause }
        }
    }

    #[cold]
    fn lock_contended(&self) {
        let mut backoff = PauseThenYields::new(self.pause);
        while !self.try_lock() {
            backoff.wait();
        }
    }
}

// SAFETY: exclusion by I1 and I2; the orderings below pass on what the holder wrote.
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
        // Release: what the holder did is visible to the thread that replaces FREE.
        self.word.store(FREE, Ordering::Release);
    }

    #[inline]
    fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        self.word.load(Ordering::Relaxed) == HELD
    }
}

// SAFETY: I1: only an exchange acquires.
unsafe impl TimedLock for TtasBackoffYield {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        let mut backoff = PauseThenYields::new(self.pause);
        look_until(self, deadline, || backoff.wait())
    }
}

impl ForkLock for TtasBackoffYield {
    /// The word does not store waiters.
    unsafe fn forget_waiters(&self) {}
}

impl_raw_mutex!(TtasBackoffYield);
