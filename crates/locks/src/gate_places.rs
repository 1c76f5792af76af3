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
///
/// ```
/// use locktoll_locks::{GatePlaces, RawLock, Ttas};
///
/// // At most two threads contend for a lock that is kept elsewhere.
/// static PLACES: GatePlaces = GatePlaces::new(2);
/// static LOCK: Ttas = Ttas::new();
/// PLACES.enter();
/// LOCK.lock();
/// let leaving = PLACES.leave();
/// // SAFETY: acquired above.
/// unsafe { LOCK.unlock() };
/// PLACES.wake(leaving);
/// ```
#[derive(Debug)]
pub struct GatePlaces {
    /// A signed number in two's complement.
    places: AtomicU32,
    tokens: Tokens,
}

/// Whether a thread has to be woken after a place has been given back.
///
/// ```
/// use locktoll_locks::{GatePlaces, Leaving};
///
/// let places = GatePlaces::new(1);
/// places.enter();
/// // The place is given back here. The sleeper that gets it, if there is one, is woken by the next line.
/// let leaving: Leaving = places.leave();
/// places.wake(leaving);
/// ```
#[must_use = "a sleeper that is not woken may sleep for ever"]
#[derive(Debug)]
pub struct Leaving {
    wakes: bool,
}

impl GatePlaces {
    const_fn! {
        /// Creates a gate that admits `active` threads.
        ///
        /// ```
        /// use locktoll_locks::GatePlaces;
        ///
        /// let places = GatePlaces::new(2);
        /// assert!(places.try_enter());
        /// assert!(places.try_enter());
        /// assert!(!places.try_enter(), "both places are taken");
        /// ```
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
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    /// use locktoll_locks::GatePlaces;
    ///
    /// let (places, inside) = (GatePlaces::new(3), AtomicU32::new(0));
    /// std::thread::scope(|scope| {
    ///     for _ in 0..8 {
    ///         scope.spawn(|| {
    ///             places.enter();
    ///             assert!(inside.fetch_add(1, Relaxed) < 3);
    ///             inside.fetch_sub(1, Relaxed);
    ///             places.wake(places.leave());
    ///         });
    ///     }
    /// });
    /// ```
    #[inline]
    pub fn enter(&self) {
        if self.places.fetch_sub(1, Ordering::Relaxed).cast_signed() <= 0 {
            self.tokens.take();
        }
    }

    /// Enters if this needs no waiting. Returns `true` if it did.
    ///
    /// ```
    /// use locktoll_locks::GatePlaces;
    ///
    /// let places = GatePlaces::new(1);
    /// places.enter();
    /// assert!(!places.try_enter());
    /// places.wake(places.leave());
    /// assert!(places.try_enter());
    /// ```
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
    ///
    /// ```
    /// use locktoll_locks::{Deadline, GatePlaces};
    ///
    /// let places = GatePlaces::new(1);
    /// assert!(places.enter_until(&Deadline::after_ns(1_000)), "a place is free");
    /// assert!(!places.enter_until(&Deadline::after_ns(1_000)), "no thread leaves within 1 us");
    /// // A thread that has given up has taken no place.
    /// places.wake(places.leave());
    /// assert!(places.try_enter());
    /// ```
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
    ///
    /// ```
    /// use locktoll_locks::{Futex3, GatePlaces, RawLock};
    ///
    /// struct Guarded {
    ///     places: GatePlaces,
    ///     lock: Futex3,
    /// }
    /// fn release(guarded: &Guarded) {
    ///     let leaving = guarded.places.leave();
    ///     // SAFETY: the callers of this function hold the lock.
    ///     unsafe { guarded.lock.unlock() };
    ///     guarded.places.wake(leaving);
    /// }
    /// # let guarded = Guarded { places: GatePlaces::new(1), lock: Futex3::new() };
    /// # guarded.places.enter();
    /// # guarded.lock.lock();
    /// # release(&guarded);
    /// # assert!(guarded.places.try_enter() && !guarded.lock.is_locked());
    /// ```
    #[inline]
    pub fn leave(&self) -> Leaving {
        let wakes = self.places.fetch_add(1, Ordering::Relaxed).cast_signed() < 0;
        if wakes {
            self.tokens.add();
        }
        Leaving { wakes }
    }

    /// Wakes a sleeper for the place that was given back. Uses only the gate's address, and does not touch its memory.
    ///
    /// ```
    /// use locktoll_locks::GatePlaces;
    ///
    /// static PLACES: GatePlaces = GatePlaces::new(1);
    /// PLACES.enter();
    /// let sleeper = std::thread::spawn(|| PLACES.enter());
    /// // Without the wake, the other thread could sleep for ever.
    /// PLACES.wake(PLACES.leave());
    /// sleeper.join().unwrap();
    /// ```
    #[inline]
    pub fn wake(&self, leaving: Leaving) {
        if leaving.wakes {
            self.tokens.wake();
        }
    }

    /// Forgets all threads except `inside` threads that are inside, out of `active` that may be.
    ///
    /// ```
    /// use locktoll_locks::GatePlaces;
    ///
    /// let places = GatePlaces::new(2);
    /// places.enter();
    /// // After a fork in which only the thread that has entered exists in the child:
    /// // SAFETY: no other thread uses the gate.
    /// unsafe { places.forget_waiters(2, 1) };
    /// assert!(places.try_enter(), "the second place");
    /// assert!(!places.try_enter());
    /// ```
    ///
    /// # Safety
    /// The caller is the only thread that uses the gate: the only thread of the child of a fork.
    pub unsafe fn forget_waiters(&self, active: u32, inside: u32) {
        self.places
            .store(active.wrapping_sub(inside), Ordering::Relaxed);
        self.tokens.clear();
    }
}
