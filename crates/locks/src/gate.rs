//! A gate before a lock: at most K threads at a time contend for it, the others sleep at the gate.
//!
//! A lock that is good with two contenders may be bad with twenty. A semaphore in front keeps the
//! number of threads that it sees small; the semaphore's own waiters sleep and are let in one by
//! one.
//!
//! The counter `places`:
//!
//! | value | meaning |
//! |---|---|
//! | n > 0 | n more threads may come in |
//! | n <= 0 | the gate is closed, and -n threads sleep at it |
//!
//! # Invariants
//!
//! - **I1** A thread comes in by taking a place that was there, or by taking a token.
//! - **I2** A thread that leaves gives its place back; if that leaves the counter at 0 or below,
//!   somebody sleeps (or is about to), and it gives one token. So each sleeper gets one token, and
//!   tokens are handed over in preference to newcomers.
//! - **I3** Exclusion and the visibility of data are the inner lock's alone. The gate only delays.
//!
//! The holder counts as one of the K. With K = 1 the gate is the lock, and the inner one is never
//! contended.
//!
//! Source: J. M. Hart, "TimeMutex" (1998), where a semaphore limits the number of active threads;
//! the counter with tokens is a "benaphore" (B. Schillings, Be Newsletter 1-26, 1996).

use crate::RawLock;
use crate::park::Tokens;
use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn};

/// A lock before which at most K threads contend.
///
/// ```
/// use locktoll_locks::{Gate, Mutex, Ticket};
///
/// // A ticket lock that never has more than the holder and two waiters.
/// static COUNT: Mutex<Gate<Ticket>, u32> = Mutex::from_raw(Gate::around(Ticket::new(), 3), 0);
/// std::thread::scope(|scope| {
///     for _ in 0..16 {
///         scope.spawn(|| *COUNT.lock() += 1);
///     }
/// });
/// assert_eq!(*COUNT.lock(), 16);
/// ```
#[derive(Debug)]
pub struct Gate<R> {
    /// A signed number in two's complement.
    places: AtomicU32,
    tokens: Tokens,
    inner: R,
}

impl<R> Gate<R> {
    /// How many threads may contend at once, unless set otherwise: the holder and one to follow it.
    pub const DEFAULT_ACTIVE: u32 = 2;

    const_fn! {
        /// A gate that lets `active` threads at `inner`. `inner` must be free.
        ///
        /// # Panics
        ///
        /// If `active` is 0 (nobody could ever come in) or above 2^30.
        pub fn around(inner: R, active: u32) -> Self {
            assert!(active > 0 && active <= 1 << 30, "a gate lets 1 to 2^30 threads in");
            Self { places: AtomicU32::new(active), tokens: Tokens::new(), inner }
        }
    }
}

impl<R: RawLock> Gate<R> {
    /// A free lock with a gate for `active` threads.
    ///
    /// # Panics
    ///
    /// If `active` is 0 (nobody could ever come in) or above 2^30.
    pub fn with_active(active: u32) -> Self {
        Self::around(R::new(), active)
    }

    #[inline]
    fn enter(&self) {
        // Relaxed, here and below: the gate hands over no data (I3).
        if self.places.fetch_sub(1, Ordering::Relaxed).cast_signed() <= 0 {
            self.tokens.take();
        }
    }

    #[inline]
    fn leave(&self) {
        if self.places.fetch_add(1, Ordering::Relaxed).cast_signed() < 0 {
            self.tokens.give();
        }
    }

    #[inline]
    fn try_enter(&self) -> bool {
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
}

// SAFETY: I3: exclusion is the inner lock's.
unsafe impl<R: RawLock> RawLock for Gate<R> {
    fn new() -> Self {
        Self::with_active(Self::DEFAULT_ACTIVE)
    }

    #[inline]
    fn lock(&self) {
        self.enter();
        self.inner.lock();
    }

    #[inline]
    fn try_lock(&self) -> bool {
        if !self.try_enter() {
            return false;
        }
        let acquired = self.inner.try_lock();
        if !acquired {
            self.leave();
        }
        acquired
    }

    #[inline]
    unsafe fn unlock(&self) {
        // SAFETY: held, by the caller's promise, means that `inner` is held.
        unsafe { self.inner.unlock() };
        self.leave();
    }

    #[inline]
    fn is_locked(&self) -> bool {
        self.inner.is_locked()
    }
}

impl_raw_mutex!(@generics [R: RawLock + lock_api::RawMutex] Gate<R>, Self::around(R::INIT, Self::DEFAULT_ACTIVE));
