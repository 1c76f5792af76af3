//! A gate in front of a lock: at most K threads at a time contend for the lock, and the others sleep at the gate.
//!
//! A lock that works well with two contenders may work badly with twenty. A semaphore in front of the lock limits the number
//! of contenders; the semaphore's own waiters sleep and are admitted one by one.
//!
//! The counter and its invariants are those of [`GatePlaces`].
//!
//! # Invariants
//!
//! - **I1** Exclusion and the visibility of data depend on the inner lock alone. The gate only delays.
//! - **I2** A holder gives its place back before it releases the inner lock, after which the gate's memory may be gone, and
//!   wakes the next sleeper after the release. So a thread that was awake may come in while the inner lock is held for a few
//!   more steps.
//!
//! The holder counts as one of the K. With K = 1 the gate is the lock, and the inner one is contended only in those few
//! steps.
//!
//! Source: J. M. Hart, "TimeMutex" (1998), where a semaphore limits the number of active threads;
//! the counter with tokens is a "benaphore" (B. Schillings, Be Newsletter 1-26, 1996).

use crate::gate_places::GatePlaces;
use crate::raw::impl_raw_mutex;
use crate::sync::const_fn;
use crate::{Deadline, RawLock, TimedLock};

/// A lock with a gate in front of it, for which at most K threads contend.
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
    places: GatePlaces,
    inner: R,
}

impl<R> Gate<R> {
    /// The default number of threads that may contend at once: the holder and one to follow it.
    pub const DEFAULT_ACTIVE: u32 = 2;

    const_fn! {
        /// Puts a gate in front of `inner` that admits `active` threads. `inner` must be free.
        ///
        /// ```
        /// use locktoll_locks::{Futex3, Gate, Mutex};
        ///
        /// // The holder and three threads that spin for up to 2.5 us each. All others sleep at the gate.
        /// static TOTAL: Mutex<Gate<Futex3>, u64> = Mutex::from_raw(Gate::around(Futex3::with_spin(100), 4), 0);
        /// *TOTAL.lock() += 1;
        /// ```
        ///
        /// # Panics
        ///
        /// If `active` is 0 (no thread could ever enter) or above 2^30.
        pub fn around(inner: R, active: u32) -> Self {
            Self { places: GatePlaces::new(active), inner }
        }
    }
}

impl<R: RawLock> Gate<R> {
    /// Creates a free lock with a gate for `active` threads.
    ///
    /// ```
    /// use locktoll_locks::{Gate, Mutex, Ticket};
    ///
    /// // A ticket lock stalls if more threads than CPUs contend for it.
    /// let cpus = std::thread::available_parallelism().map_or(1, |cpus| cpus.get() as u32);
    /// let table = Mutex::from_raw(Gate::<Ticket>::with_active(cpus), vec![1]);
    /// table.lock().push(2);
    /// assert_eq!(table.into_inner(), [1, 2]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `active` is 0 (no thread could ever enter) or above 2^30.
    pub fn with_active(active: u32) -> Self {
        Self::around(R::new(), active)
    }

    /// Leaves without having acquired the lock.
    fn go_away(&self) {
        let leaving = self.places.leave();
        self.places.wake(leaving);
    }
}

// SAFETY: I1: the inner lock provides exclusion.
unsafe impl<R: RawLock> RawLock for Gate<R> {
    fn new() -> Self {
        Self::with_active(Self::DEFAULT_ACTIVE)
    }

    #[inline]
    fn lock(&self) {
        self.places.enter();
        self.inner.lock();
    }

    #[inline]
    fn try_lock(&self) -> bool {
        self.places.try_enter() && {
            let acquired = self.inner.try_lock();
            if !acquired {
                self.go_away();
            }
            acquired
        }
    }

    #[inline]
    unsafe fn unlock(&self) {
        let leaving = self.places.leave();
        // SAFETY: held, by the caller's promise, so `inner` is held.
        unsafe { self.inner.unlock() };
        self.places.wake(leaving);
    }

    #[inline]
    fn is_locked(&self) -> bool {
        self.inner.is_locked()
    }
}

// SAFETY: I1: the inner lock provides exclusion.
unsafe impl<R: TimedLock> TimedLock for Gate<R> {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        self.places.enter_until(deadline) && {
            let acquired = self.inner.try_lock_until(deadline);
            if !acquired {
                self.go_away();
            }
            acquired
        }
    }
}

impl_raw_mutex!(@generics [R: RawLock + lock_api::RawMutex] Gate<R>, Self::around(R::INIT, Self::DEFAULT_ACTIVE));
