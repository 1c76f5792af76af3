//! The futex lock with three states, the usual one: a release enters the kernel only if a thread
//! may sleep.
//!
//! | word | meaning |
//! |---|---|
//! | 0 `FREE` | no thread holds the lock |
//! | 1 `HELD` | held; no thread sleeps |
//! | 2 `CONTENDED` | held; threads may sleep |
//!
//! # Invariants
//!
//! - **I1** The thread whose exchange replaced `FREE` is the holder.
//! - **I2** Only the holder stores `FREE`.
//! - **I3** A thread sleeps only on `CONTENDED`, and a thread that has slept (or was about to)
//!   takes the lock as `CONTENDED`, since others may still sleep. So a release that leaves sleepers
//!   behind sees `CONTENDED`, and wakes one.
//!
//! Source: U. Drepper, "Futexes Are Tricky" (2011), section 6, `mutex2`; glibc's normal mutex
//! and Rust's `std::sync::Mutex` are of this kind (the latter spins about 100 times first).

use crate::backoff::SpinBudget;
use crate::park::Futex;
use crate::raw::impl_raw_mutex;
use crate::sync::{Ordering, const_fn};
use crate::{Deadline, ForkLock, RawLock, TimedLock};

const FREE: u32 = 0;
const HELD: u32 = 1;
const CONTENDED: u32 = 2;

/// A parking lock that enters the kernel only under contention.
///
/// ```
/// use locktoll_locks::{Futex3, Mutex};
///
/// // Spins for about 2.5 us before it parks, as an adaptive mutex does.
/// static QUEUE: Mutex<Futex3, Vec<u32>> = Mutex::from_raw(Futex3::with_spin(100), Vec::new());
/// QUEUE.lock().push(7);
/// assert_eq!(QUEUE.lock().pop(), Some(7));
/// ```
#[derive(Debug)]
pub struct Futex3 {
    word: Futex,
    spin: u32,
}

impl Futex3 {
    /// The default number of spin units before parking: none.
    pub const DEFAULT_SPIN: u32 = 0;

    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{Futex3, RawLock};
        ///
        /// static LOCK: Futex3 = Futex3::new();
        /// LOCK.lock();
        /// // SAFETY: acquired above. No thread sleeps, so this makes no system call.
        /// unsafe { LOCK.unlock() };
        /// assert!(!LOCK.is_locked());
        /// ```
        pub fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// Creates a free lock whose waiters spin for `spin` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) before they park.
        ///
        /// ```
        /// use locktoll_locks::{Futex3, Mutex, SPIN_UNIT_NS};
        ///
        /// // A waiter spins for as long as a sleep and a wake-up would take, say 5 us, and then sleeps.
        /// let raw = Futex3::with_spin(5_000 / SPIN_UNIT_NS);
        /// let total = Mutex::from_raw(raw, 0);
        /// *total.lock() += 1;
        /// assert_eq!(total.into_inner(), 1);
        /// ```
        pub fn with_spin(spin: u32) -> Self {
            Self { word: Futex::new(FREE), spin }
        }
    }

    /// Waits until the lock is acquired (`true`), or until the deadline if there is one.
    #[cold]
    fn lock_contended(&self, deadline: Option<&Deadline>) -> bool {
        let mut budget = SpinBudget::new(self.spin);
        self.spin(&mut budget) || self.park(deadline)
    }

    /// Spins until the lock is acquired (`true`) or the budget is spent.
    pub(crate) fn spin(&self, budget: &mut SpinBudget) -> bool {
        while budget.spin() {
            // Relaxed: only the exchange acquires.
            match self.word.load(Ordering::Relaxed) {
                FREE if self.try_lock() => return true,
                // Other threads have given up spinning: the wait is a long one.
                CONTENDED => return false,
                _ => {}
            }
        }
        false
    }

    /// Acquires the lock, sleeping as often as needed (I3). Returns `false` if there is a deadline and it passes first.
    pub(crate) fn park(&self, deadline: Option<&Deadline>) -> bool {
        // Acquire: pairs with the release in `unlock`, if FREE is the value replaced.
        while self.word.swap(CONTENDED, Ordering::Acquire) != FREE {
            // A thread that was woken and finds the lock held has left CONTENDED there, and may give up (I3).
            if deadline.is_some_and(Deadline::has_passed) {
                return false;
            }
            self.word.wait_maybe_until(CONTENDED, deadline);
        }
        true
    }
}

// SAFETY: exclusion by I1 and I2; the orderings below pass on what the holder wrote.
unsafe impl RawLock for Futex3 {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        if !self.try_lock() {
            self.lock_contended(None);
        }
    }

    #[inline]
    fn try_lock(&self) -> bool {
        // Acquire: pairs with the release in `unlock` (I1). Relaxed on failure: nothing acquired.
        self.word
            .compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
    }

    #[inline]
    unsafe fn unlock(&self) {
        // Release: what the holder did is visible to the thread that replaces FREE.
        if self.word.swap(FREE, Ordering::Release) == CONTENDED {
            self.word.wake_one();
        }
    }

    #[inline]
    fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        self.word.load(Ordering::Relaxed) != FREE
    }
}

// SAFETY: I1: only an exchange acquires.
unsafe impl TimedLock for Futex3 {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        self.try_lock() || self.lock_contended(Some(deadline))
    }
}

impl ForkLock for Futex3 {
    unsafe fn forget_waiters(&self) {
        // Relaxed, both: nobody else uses the lock.
        if self.word.load(Ordering::Relaxed) == CONTENDED {
            self.word.store(HELD, Ordering::Relaxed);
        }
    }
}

impl_raw_mutex!(Futex3);
