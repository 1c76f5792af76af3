//! Test-and-test-and-set with exponential back-off.
//!
//! After each failed check, a thread waits twice as long as before, up to a cap: the more threads
//! wait, the less often they disturb the holder's cache line.
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
//! Source: T. E. Anderson, "The Performance of Spin Lock Alternatives for Shared-Memory
//! Multiprocessors", IEEE TPDS 1(1), 1990.

use crate::backoff::Exponential;
use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn};
use crate::{Deadline, ForkLock, RawLock, TimedLock};
use locktoll_waiting::look_until;

const FREE: u32 = 0;
const HELD: u32 = 1;

/// A spin lock whose waiters check it less and less often.
///
/// ```
/// use locktoll_locks::{Mutex, TtasBackoff};
///
/// // At most 64 units of spinning, about 1.6 us, between two checks.
/// static TOTAL: Mutex<TtasBackoff, u64> = Mutex::from_raw(TtasBackoff::with_spin(64), 0);
/// std::thread::scope(|scope| {
///     for _ in 0..4 {
///         scope.spawn(|| *TOTAL.lock() += 1);
///     }
/// });
/// assert_eq!(*TOTAL.lock(), 4);
/// ```
#[derive(Debug)]
pub struct TtasBackoff {
    word: AtomicU32,
    cap: u32,
}

impl TtasBackoff {
    /// The default for the longest wait between two checks, in spin units: about 6.4 us.
    pub const DEFAULT_SPIN: u32 = 256;

    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{Mutex, TtasBackoff};
        ///
        /// static TOTAL: Mutex<TtasBackoff, u64> = Mutex::from_raw(TtasBackoff::new(), 0);
        /// *TOTAL.lock() += 2;
        /// assert_eq!(*TOTAL.lock(), 2);
        /// ```
        pub fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// Creates a free lock whose waiters wait at most `cap` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) between two
        /// checks.
        ///
        /// ```
        /// use locktoll_locks::{Mutex, TtasBackoff};
        ///
        /// // Waits of 1, 2, 4 ... units between two checks, but never more than 32, about 800 ns.
        /// let total = Mutex::from_raw(TtasBackoff::with_spin(32), 0);
        /// *total.lock() += 1;
        /// assert_eq!(total.into_inner(), 1);
        /// ```
        pub fn with_spin(cap: u32) -> Self {
            Self { word: AtomicU32::new(FREE), cap }
        }
    }

    #[cold]
    fn lock_contended(&self) {
        let mut backoff = Exponential::new(self.cap);
        while !self.try_lock() {
            backoff.wait();
        }
    }
}

// SAFETY: exclusion by I1 and I2; the orderings below pass on what the holder wrote.
unsafe impl RawLock for TtasBackoff {
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
unsafe impl TimedLock for TtasBackoff {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        let mut backoff = Exponential::new(self.cap);
        look_until(self, deadline, || backoff.wait())
    }
}

impl ForkLock for TtasBackoff {
    /// The word does not store waiters.
    unsafe fn forget_waiters(&self) {}
}

impl_raw_mutex!(TtasBackoff);
