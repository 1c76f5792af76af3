//! The gate of [`Gate`](crate::Gate) without its lock, for callers that keep the lock elsewhere.
//!
//! The counter:
//!
//! | value | meaning |
//! |---|---|
//! | n > 0 | n more threads may come in |
//! | n <= 0 | the gate is closed, and -n threads sleep at it |
//!
//! # Invariants
//!
//! - **I1** A thread comes in by taking a place that was there, or by taking a token.
//! - **I2** A thread that leaves gives its place back; if the counter was below 0, a thread sleeps (or is about to), and the
//!   leaving thread gives one token. So each sleeper gets one token, and token holders come in before newcomers.
//! - **I3** A sleeper whose time is up takes itself off the counter while that is below 0. If it is not, a token has been
//!   given for each sleeper, or is about to be: then it takes one, and has come in.
//! - **I4** The gate passes on no data: all its operations are relaxed.
//!
//! Source: the counter with tokens is a "benaphore" (B. Schillings, Be Newsletter 1-26, 1996).

use crate::Deadline;
use crate::park::Tokens;
use crate::sync::{AtomicU32, Ordering, const_fn};

/// A semaphore that admits a number of threads at once. The others sleep in front of it.
#[derive(Debug)]
pub struct GatePlaces {
    /// A signed number in two's complement.
    places: AtomicU32,
    tokens: Tokens,
}

/// Whether a thread has to be woken after a place has been given back.
#[must_use = "a sleeper that is not woken may sleep for ever"]
#[derive(Debug)]
pub struct Leaving {
    wakes: bool,
}

impl GatePlaces {
    const_fn! {
        /// Creates a gate that admits `active` threads.
        ///
        /// # Panics
        ///
        /// If `active` is 0 (no thread could ever enter) or above 2^30.
        pub fn new(active: u32) -> Self {
            assert!(active > 0 && active <= 1 << 30, "a gate lets 1 to 2^30 threads in");
            Self { places: AtomicU32::new(active), tokens: Tokens::new() }
        }
    }

    /// Waits until the calling thread is admitted.
    #[inline]
    pub fn enter(&self) {
        if self.places.fetch_sub(1, Ordering::Relaxed).cast_signed() <= 0 {
            self.tokens.take();
        }
    }

    /// Enters if this needs no waiting. Returns `true` if it did.
    #[inline]
    pub fn try_enter(&self) -> bool {
        let mut places = self.places.load(Ordering::Relaxed);
        while places.cast_signed() > 0 {
            match self.places.compare_exchange(
                places,
                places - 1,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => return true,
                Err(now) => places = now,
            }
        }
        false
    }

    /// Waits until the calling thread is admitted (`true`) or the deadline has passed.
    pub fn enter_until(&self, deadline: &Deadline) -> bool {
        self.places.fetch_sub(1, Ordering::Relaxed).cast_signed() > 0
            || self.tokens.take_maybe_until(Some(deadline))
            || !self.withdraw()
    }

    /// Takes a sleeper whose time is up off the counter. Returns whether it could leave; if not, it has come in (I3).
    fn withdraw(&self) -> bool {
        self.tokens.withdraw(&self.places, |places| {
            (places.cast_signed() < 0).then(|| places.wrapping_add(1))
        })
    }

    /// Gives the place back (I2). To be called before the release of the lock behind the gate, after which the gate's memory
    /// may be gone. [`wake`](Self::wake) wakes a sleeper, after the release.
    #[inline]
    pub fn leave(&self) -> Leaving {
        let wakes = self.places.fetch_add(1, Ordering::Relaxed).cast_signed() < 0;
        if wakes {
            self.tokens.add();
        }
        Leaving { wakes }
    }

    /// Wakes a sleeper for the place that was given back. Uses only the gate's address, and does not touch its memory.
    #[inline]
    pub fn wake(&self, leaving: Leaving) {
        if leaving.wakes {
            self.tokens.wake();
        }
    }

    /// Forgets all threads except `inside` threads that are inside, out of `active` that may be.
    ///
    /// # Safety
    /// The caller is the only thread that uses the gate: the only thread of the child of a fork.
    pub unsafe fn forget_waiters(&self, active: u32, inside: u32) {
        self.places
            .store(active.wrapping_sub(inside), Ordering::Relaxed);
        self.tokens.clear();
    }
}
