//! A parking lock that never has more than one woken thread on its way.
//!
//! A release that finds sleepers wakes one and marks it as designated. Until that thread has taken
//! the lock or gone back to sleep, further releases wake nobody: under a busy lock, this saves
//! nearly all the wake calls of [`Futex3`](crate::Futex3), which wakes at each release while
//! anybody sleeps. Running threads may overtake the designated one (barging), so there is no bound
//! on how long a thread waits.
//!
//! The state word:
//!
//! | bits | meaning |
//! |---|---|
//! | 0 `HELD` | somebody holds the lock |
//! | 1 `DESIGNATED` | a woken thread is on its way |
//! | 2..31 | number of threads enlisted as sleepers, in steps of `SLEEPER` |
//!
//! # Invariants
//!
//! - **I1** The thread whose exchange set `HELD` is the holder; only the holder clears it.
//! - **I2** Setting `DESIGNATED` takes one sleeper off the number and gives one token; taking the
//!   token makes a thread the designated one, which clears the bit when it acquires, or when it
//!   enlists again.
//! - **I3** A thread enlists only in an exchange that finds `HELD`. So whenever there are sleepers
//!   and no designated thread, there is a holder whose release will designate one: none is
//!   forgotten.
//!
//! Source: the designated waker of M. Burrows' nsync library (`nsync_mu`, documented in its `mu.c`,
//! 2016); F. Pizlo, "Locking in WebKit" (2016) describes the same aim with a parking lot.

use crate::RawLock;
use crate::backoff::SpinBudget;
use crate::park::Tokens;
use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn};

const HELD: u32 = 1;
const DESIGNATED: u32 = 2;
const SLEEPER: u32 = 4;

/// A parking lock with at most one woken thread at a time.
#[derive(Debug)]
pub struct DesignatedWaker {
    state: AtomicU32,
    tokens: Tokens,
    spin: u32,
}

impl DesignatedWaker {
    /// Units of spinning before each sleep, unless set otherwise: about 1 us.
    pub const DEFAULT_SPIN: u32 = 40;

    const_fn! {
        /// A free lock.
        pub fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// A free lock whose waiters spin for `spin` units of
        /// [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) before they park.
        pub fn with_spin(spin: u32) -> Self {
            Self { state: AtomicU32::new(0), tokens: Tokens::new(), spin }
        }
    }

    #[cold]
    fn lock_contended(&self) {
        let mut designated = 0;
        let mut budget = SpinBudget::new(self.spin);
        // Relaxed loads: hints for the exchanges.
        let mut state = self.state.load(Ordering::Relaxed);
        loop {
            let (next, order) = if state & HELD == 0 {
                // Acquire: pairs with the release in `unlock` (I1).
                ((state & !designated) | HELD, Ordering::Acquire)
            } else if budget.spin() {
                state = self.state.load(Ordering::Relaxed);
                continue;
            } else {
                // Relaxed: enlisting hands over nothing.
                ((state & !designated) + SLEEPER, Ordering::Relaxed)
            };
            if let Err(now) = self
                .state
                .compare_exchange(state, next, order, Ordering::Relaxed)
            {
                state = now;
                continue;
            }
            if state & HELD == 0 {
                return;
            }
            self.tokens.take();
            // By I2 the bit was set for this thread.
            designated = DESIGNATED;
            budget = SpinBudget::new(self.spin);
            state = self.state.load(Ordering::Relaxed);
        }
    }

    /// Releases the lock and, if there are sleepers and no designated thread, wakes one (I2).
    ///
    /// One exchange does both, so that nothing of the lock is touched once it may be gone: a
    /// thread that takes a token is still using it.
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
            // Release: what the holder did is visible to whoever sets HELD next.
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

// SAFETY: exclusion by I1; the orderings below hand over what the holder wrote.
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
            self.lock_contended();
        }
    }

    #[inline]
    fn try_lock(&self) -> bool {
        // Acquire: pairs with the release in `unlock`; the bit was clear, so we set it (I1).
        self.state.fetch_or(HELD, Ordering::Acquire) & HELD == 0
    }

    #[inline]
    unsafe fn unlock(&self) {
        // Release: what the holder did is visible to whoever sets HELD next. Relaxed on failure:
        // nothing was released.
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
        // Relaxed: a snapshot, nothing is read on the strength of it.
        self.state.load(Ordering::Relaxed) & HELD != 0
    }
}

impl_raw_mutex!(DesignatedWaker);
