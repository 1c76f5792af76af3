//! The futex lock with two states, free and held. It does not store whether threads wait.
//!
//! The holder cannot know whether any thread sleeps, so every release makes a system call. The third state of
//! [`Futex3`](crate::Futex3) avoids that.
//!
//! | word | meaning |
//! |---|---|
//! | 0 `FREE` | no thread holds the lock |
//! | 1 `HELD` | a thread holds it; threads may sleep |
//!
//! # Invariants
//!
//! - **I1** The thread whose exchange turned `FREE` into `HELD` is the holder.
//! - **I2** Only the holder stores `FREE`, and wakes one sleeper afterwards. A woken thread either takes the lock, or finds it
//!   held by a thread whose release will wake again: no sleeper is forgotten.
//!
//! Source: H. Franke, R. Russell, M. Kirkwood, "Fuss, Futexes and Furwocks: Fast Userlevel Locking
//! in Linux", OLS 2002, simplified; the two-state form is the starting point of U. Drepper,
//! "Futexes Are Tricky".

use crate::backoff::SpinBudget;
use crate::park::Futex;
use crate::raw::impl_raw_mutex;
use crate::sync::{Ordering, const_fn};
use crate::{Deadline, ForkLock, RawLock, TimedLock};

const FREE: u32 = 0;
const HELD: u32 = 1;

/// A parking lock that enters the kernel at every release.
///
/// ```
/// use locktoll_locks::{Futex2, Mutex};
///
/// static STEPS: Mutex<Futex2, u32> = Mutex::new(0);
/// for _ in 0..3 {
///     // Each of these releases is a system call, although no thread waits.
///     *STEPS.lock() += 1;
/// }
/// assert_eq!(*STEPS.lock(), 3);
/// ```
#[derive(Debug)]
pub struct Futex2 {
    word: Futex,
    spin: u32,
}

impl Futex2 {
    /// The default number of spin units before parking: none.
    pub const DEFAULT_SPIN: u32 = 0;

    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{Deadline, Futex2, RawLock, TimedLock};
        ///
        /// let lock = Futex2::new();
        /// // A free lock is acquired even if the deadline has passed.
        /// assert!(lock.try_lock_until(&Deadline::after_ns(0)));
        /// assert!(!lock.try_lock_until(&Deadline::after_ns(0)));
        /// // SAFETY: acquired above.
        /// unsafe { lock.unlock() };
        /// ```
        pub fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// Creates a free lock whose waiters spin for `spin` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) before they park.
        ///
        /// ```
        /// use locktoll_locks::{Futex2, Mutex};
        ///
        /// // A waiter spins for 40 units, about 1 us, before it sleeps. The system call at each release remains.
        /// static STEPS: Mutex<Futex2, u32> = Mutex::from_raw(Futex2::with_spin(40), 0);
        /// *STEPS.lock() += 1;
        /// ```
        pub fn with_spin(spin: u32) -> Self {
            Self { word: Futex::new(FREE), spin }
        }
    }

    /// Waits until the lock is acquired (`true`), or until the deadline if there is one.
    #[cold]
    fn lock_contended(&self, deadline: Option<&Deadline>) -> bool {
        let mut budget = SpinBudget::new(self.spin);
        while budget.spin() {
            // Relaxed: only the exchange acquires.
            if self.word.load(Ordering::Relaxed) == FREE && self.try_lock() {
                return true;
            }
        }
        while !self.try_lock() {
            // A thread that was woken and finds the lock held may give up: the holder's release wakes again (I2).
            if deadline.is_some_and(Deadline::has_passed) {
                return false;
            }
            self.word.wait_maybe_until(HELD, deadline);
        }
        true
    }
}

// SAFETY: exclusion by I1 and I2; the orderings below pass on what the holder wrote.
unsafe impl RawLock for Futex2 {
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
        self.word.store(FREE, Ordering::Release);
        self.word.wake_one();
    }

    #[inline]
    fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        self.word.load(Ordering::Relaxed) == HELD
    }
}

// SAFETY: I1: only an exchange acquires.
unsafe impl TimedLock for Futex2 {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        self.try_lock() || self.lock_contended(Some(deadline))
    }
}

impl ForkLock for Futex2 {
    /// The word does not store waiters.
    unsafe fn forget_waiters(&self) {}
}

impl_raw_mutex!(Futex2);
