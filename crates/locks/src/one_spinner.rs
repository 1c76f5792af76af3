//! A parking lock with at most one spinning thread: all other waiters park at once.
//!
//! One spinner is enough to take a lock over quickly; several spinners disturb the holder and each other. A release that finds
//! a spinner wakes no thread; one that finds only sleepers wakes one of them into the spinner's role.
//!
//! The state word:
//!
//! | bits | meaning |
//! |---|---|
//! | 0 `HELD` | a thread holds the lock |
//! | 1 `SPINNER` | the spinner's role is taken, by a running thread or by one that has been woken for it |
//! | 2..31 | number of threads enlisted as sleepers, in steps of `SLEEPER` |
//!
//! # Invariants
//!
//! - **I1** The thread whose exchange set `HELD` is the holder; only the holder clears it.
//! - **I2** At most one thread has the spinner's role. It gives the role up when it acquires, or when it enlists. A release
//!   that sets `SPINNER` takes one sleeper off the number and gives one token, and the role goes to the thread that takes the
//!   token.
//! - **I3** A thread enlists only in an exchange that finds `HELD`. So whenever there are sleepers and no spinner, there is a
//!   holder whose release will wake one: no sleeper is forgotten.
//! - **I4** A thread gives up waiting, at a deadline, in an exchange that finds `HELD`; or, as a sleeper, by taking itself off
//!   the number. If the number is 0, a token is on its way for it, with which it has the role, and gives up as above.
//!
//! Source: the "spinbit" mutex of the Go runtime (design document "runtime: improve scaling of lock2", R. Hiltner, 2024); the
//! idea is older: Solaris' adaptive mutexes, and Linux' optimistic spinning queue.

use crate::backoff::SpinBudget;
use crate::park::Tokens;
use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn};
use crate::{Deadline, ForkLock, RawLock, TimedLock};

const HELD: u32 = 1;
const SPINNER: u32 = 2;
const SLEEPER: u32 = 4;

/// The effect of a waiter's exchange.
enum Step {
    Acquire,
    TakeRole,
    Enlist,
    GiveUp,
}

/// A parking lock whose waiters sleep, except one.
///
/// ```
/// use locktoll_locks::{Mutex, OneSpinner};
///
/// static TOTAL: Mutex<OneSpinner, u64> = Mutex::new(0);
/// // However many threads wait, one of them spins and the others sleep.
/// std::thread::scope(|scope| {
///     for n in 1..=10 {
///         scope.spawn(move || *TOTAL.lock() += n);
///     }
/// });
/// assert_eq!(*TOTAL.lock(), 55);
/// ```
#[derive(Debug)]
pub struct OneSpinner {
    state: AtomicU32,
    tokens: Tokens,
    spin: u32,
}

impl OneSpinner {
    /// The default number of units that the spinner spins before it parks: about 5 us.
    pub const DEFAULT_SPIN: u32 = 200;

    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{Deadline, OneSpinner, RawLock, TimedLock};
        ///
        /// static LOCK: OneSpinner = OneSpinner::new();
        /// LOCK.lock();
        /// // A waiter may give up, as the spinner or as a sleeper.
        /// assert!(!LOCK.try_lock_until(&Deadline::after_ns(1_000)));
        /// // SAFETY: acquired above.
        /// unsafe { LOCK.unlock() };
        /// ```
        pub fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// Creates a free lock whose one spinner spins for `spin` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) before it
        /// parks.
        ///
        /// ```
        /// use locktoll_locks::{Mutex, OneSpinner};
        ///
        /// // The spinner spins for 1000 units, about 25 us. With 0, no thread spins.
        /// static TOTAL: Mutex<OneSpinner, u64> = Mutex::from_raw(OneSpinner::with_spin(1000), 0);
        /// *TOTAL.lock() += 1;
        /// ```
        pub fn with_spin(spin: u32) -> Self {
            Self { state: AtomicU32::new(0), tokens: Tokens::new(), spin }
        }
    }

    /// Waits until the lock is acquired (`true`), or until the deadline if there is one.
    #[cold]
    fn lock_contended(&self, deadline: Option<&Deadline>) -> bool {
        // The SPINNER bit while this thread has the role, otherwise 0.
        let mut role = 0;
        let mut budget = SpinBudget::new(self.spin);
        // Relaxed loads and enlisting: only setting HELD acquires.
        let mut state = self.state.load(Ordering::Relaxed);
        loop {
            let role_is_free = role == 0 && state & SPINNER == 0 && self.spin > 0;
            let (next, order, step) = if state & HELD == 0 {
                // Acquire: pairs with the release in `unlock` (I1).
                ((state & !role) | HELD, Ordering::Acquire, Step::Acquire)
            } else if deadline.is_some_and(Deadline::has_passed) {
                // There is a holder, and its release finds the role free (I3).
                (state & !role, Ordering::Relaxed, Step::GiveUp)
            } else if role_is_free {
                (state | SPINNER, Ordering::Relaxed, Step::TakeRole)
            } else if role != 0 && budget.spin() {
                state = self.state.load(Ordering::Relaxed);
                continue;
            } else {
                ((state & !role) + SLEEPER, Ordering::Relaxed, Step::Enlist)
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
                Step::TakeRole => {}
                Step::Enlist => {
                    if !self.tokens.take_maybe_until(deadline) && self.withdraw() {
                        return false;
                    }
                }
            }
            // The role was taken by the exchange above, or came with the token (I2).
            role = SPINNER;
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

    /// Releases the lock and, if there are sleepers and no spinner, wakes one (I2).
    ///
    /// One exchange does both, so that nothing of the lock is touched once it may be gone. A thread that takes a token is
    /// still using the lock.
    #[cold]
    fn unlock_contended(&self) {
        // Relaxed: a hint for the exchange.
        let mut state = self.state.load(Ordering::Relaxed);
        loop {
            let wake = state >= SLEEPER && state & SPINNER == 0;
            let next = if wake {
                (state - HELD - SLEEPER) | SPINNER
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
unsafe impl RawLock for OneSpinner {
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
unsafe impl TimedLock for OneSpinner {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        self.try_lock() || self.lock_contended(Some(deadline))
    }
}

impl ForkLock for OneSpinner {
    unsafe fn forget_waiters(&self) {
        // Relaxed: nobody else uses the lock.
        self.state.fetch_and(HELD, Ordering::Relaxed);
        self.tokens.clear();
    }
}

impl_raw_mutex!(OneSpinner);
