//! A parking lock with at most one thread that has been woken and is not running yet.
//!
//! A release that finds sleepers wakes one and marks it as designated. Until that thread has taken the lock or gone back to
//! sleep, further releases wake no thread. With a busy lock, this saves nearly all the wake calls of
//! [`Futex3`](crate::Futex3), which wakes at each release while any thread sleeps. Running threads may overtake the designated
//! one (barging), so waiting has no bound.
//!
//! The state word:
//!
//! | bits | meaning |
//! |---|---|
//! | 0 `HELD` | a thread holds the lock |
//! | 1 `DESIGNATED` | a woken thread is on its way |
//! | 2..31 | number of threads enlisted as sleepers, in steps of `SLEEPER` |
//!
//! # Invariants
//!
//! - **I1** The thread whose exchange set `HELD` is the holder; only the holder clears it.
//! - **I2** Setting `DESIGNATED` takes one sleeper off the number and gives one token. The thread that takes the token is the
//!   designated one; it clears the bit when it acquires the lock, or when it enlists again.
//! - **I3** A thread enlists only in an exchange that finds `HELD`. So whenever there are sleepers and no designated thread,
//!   there is a holder whose release will designate one: no sleeper is forgotten.
//! - **I4** A thread gives up waiting, at a deadline, in an exchange that finds `HELD`; or, as a sleeper, by taking itself off
//!   the number. If the number is 0, a token is on its way for it, with which it is designated, and gives up as above.
//!
//! Source: the designated waker of M. Burrows' nsync library (`nsync_mu`, documented in its `mu.c`,
//! 2016); F. Pizlo, "Locking in WebKit" (2016) describes the same aim with a parking lot.

use crate::backoff::SpinBudget;
use crate::park::Tokens;
use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn};
use crate::{Deadline, ForkLock, RawLock, TimedLock};

const HELD: u32 = 1;
const DESIGNATED: u32 = 2;
const SLEEPER: u32 = 4;

/// The effect of a waiter's exchange.
enum Step {
    Acquire,
    Enlist,
    GiveUp,
}

/// A parking lock with at most one woken thread at a time.
///
/// ```
/// use locktoll_locks::{DesignatedWaker, Mutex};
///
/// static JOBS: Mutex<DesignatedWaker, Vec<u32>> = Mutex::new(Vec::new());
/// // A release wakes at most one of the sleepers, and no further one until that thread has run.
/// std::thread::scope(|scope| {
///     for job in 0..8 {
///         scope.spawn(move || JOBS.lock().push(job));
///     }
/// });
/// assert_eq!(JOBS.lock().len(), 8);
/// ```
#[derive(Debug)]
pub struct DesignatedWaker {
    state: AtomicU32,
    tokens: Tokens,
    spin: u32,
}

impl DesignatedWaker {
    /// The default number of spin units before each sleep: about 1 us.
    pub const DEFAULT_SPIN: u32 = 40;

    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{DesignatedWaker, Mutex};
        ///
        /// struct Account {
        ///     balance: Mutex<DesignatedWaker, i64>,
        /// }
        /// let account = Account { balance: Mutex::from_raw(DesignatedWaker::new(), 100) };
        /// *account.balance.lock() -= 30;
        /// assert_eq!(account.balance.into_inner(), 70);
        /// ```
        pub fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// Creates a free lock whose waiters spin for `spin` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) before they park.
        ///
        /// ```
        /// use locktoll_locks::{DesignatedWaker, Mutex};
        ///
        /// // Waiters do not spin at all: for long critical sections.
        /// static LOG: Mutex<DesignatedWaker, String> = Mutex::from_raw(DesignatedWaker::with_spin(0), String::new());
        /// LOG.lock().push_str("started");
        /// assert_eq!(*LOG.lock(), "started");
        /// ```
        pub fn with_spin(spin: u32) -> Self {
            Self { state: AtomicU32::new(0), tokens: Tokens::new(), spin }
        }
    }

    /// Waits until the lock is acquired (`true`), or until the deadline if there is one.
    #[cold]
    fn lock_contended(&self, deadline: Option<&Deadline>) -> bool {
        let mut designated = 0;
        let mut budget = SpinBudget::new(self.spin);
        // Relaxed loads: hints for the exchanges.
        let mut state = self.state.load(Ordering::Relaxed);
        loop {
            let (next, order, step) = if state & HELD == 0 {
                // Acquire: pairs with the release in `unlock` (I1).
                (
                    (state & !designated) | HELD,
                    Ordering::Acquire,
                    Step::Acquire,
                )
            } else if deadline.is_some_and(Deadline::has_passed) {
                // There is a holder, and its release finds no designated thread (I3).
                (state & !designated, Ordering::Relaxed, Step::GiveUp)
            } else if budget.spin() {
                state = self.state.load(Ordering::Relaxed);
                continue;
            } else {
                // Relaxed: enlisting passes on no data.
                (
                    (state & !designated) + SLEEPER,
                    Ordering::Relaxed,
                    Step::Enlist,
                )
            };
            if let Err(now) = self
                .state
                .compare_exchange(state, next, order, Ordering::Relaxed)
            {
                state = now;
                continue;
            }
            match step {
                Step::Acquire => return true,
                Step::GiveUp => return false,
                Step::Enlist => {
                    if !self.tokens.take_maybe_until(deadline) && self.withdraw() {
                        return false;
                    }
                }
            }
            // By I2 the bit was set for this thread.
            designated = DESIGNATED;
            budget = SpinBudget::new(self.spin);
            state = self.state.load(Ordering::Relaxed);
        }
    }

    /// Takes a sleeper whose time is up off the number and returns `true`, or else makes it take the token that is meant for
    /// it (I4).
    fn withdraw(&self) -> bool {
        self.tokens
            .withdraw(&self.state, |state| state.checked_sub(SLEEPER))
    }

    /// Releases the lock and, if there are sleepers and no designated thread, wakes one (I2).
    ///
    /// One exchange does both, so that nothing of the lock is touched once it may be gone. A thread that takes a token is
    /// still using the lock.
    #[cold]
    fn unlock_contended(&self) {
        // Relaxed: a hint for the exchange.
        let mut state = self.state.load(Ordering::Relaxed);
        loop {
            let wake = state >= SLEEPER && state & DESIGNATED == 0;
            let next = if wake {
                (state - HELD - SLEEPER) | DESIGNATED
            } else {
                state - HELD
            };
            // Release: what the holder did is visible to the thread that sets HELD next.
            match self
                .state
                .compare_exchange(state, next, Ordering::Release, Ordering::Relaxed)
            {
                Ok(_) if wake => return self.tokens.give(),
                Ok(_) => return,
                Err(now) => state = now,
            }
        }
    }
}

// SAFETY: exclusion by I1; the orderings below pass on what the holder wrote.
unsafe impl RawLock for DesignatedWaker {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        // Acquire: pairs with the release in `unlock`. Relaxed on failure: nothing acquired.
        if self
            .state
            .compare_exchange(0, HELD, Ordering::Acquire, Ordering::Relaxed)
            .is_err()
        {
            self.lock_contended(None);
        }
    }

    #[inline]
    fn try_lock(&self) -> bool {
        // Acquire: pairs with the release in `unlock`; the bit was clear, so this thread has set it (I1).
        self.state.fetch_or(HELD, Ordering::Acquire) & HELD == 0
    }

    #[inline]
    unsafe fn unlock(&self) {
        // Release: what the holder did is visible to the thread that sets HELD next. Relaxed on failure: nothing was released.
        if self
            .state
            .compare_exchange(HELD, 0, Ordering::Release, Ordering::Relaxed)
            .is_err()
        {
            self.unlock_contended();
        }
    }

    #[inline]
    fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        self.state.load(Ordering::Relaxed) & HELD != 0
    }
}

// SAFETY: I1.
unsafe impl TimedLock for DesignatedWaker {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        self.try_lock() || self.lock_contended(Some(deadline))
    }
}

impl ForkLock for DesignatedWaker {
    unsafe fn forget_waiters(&self) {
        // Relaxed: nobody else uses the lock.
        self.state.fetch_and(HELD, Ordering::Relaxed);
        self.tokens.clear();
    }
}

impl_raw_mutex!(DesignatedWaker);
