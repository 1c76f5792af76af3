//! The ticket lock whose waiters yield the processor: they spin for a while, then let others run.
//!
//! In a plain [`Ticket`](crate::Ticket) lock with more threads than processors, a waiter whose turn has come may have been
//! preempted by one whose turn has not, and which spends its time slice spinning. Here, a waiter that has used up its spin
//! budget yields (`sched_yield`) before it spins again. The order of arrival is kept, so a hand-over may still take as many
//! switches as there are threads in between.
//!
//! | `next` | `serving` | meaning |
//! |---|---|---|
//! | n | n | free |
//! | n + w + 1 | n | held by ticket n, w threads wait |
//!
//! # Invariants
//!
//! - **I1** A ticket is drawn by one thread only (an atomic increment).
//! - **I2** The holder is the thread whose ticket equals `serving`; only the holder advances it.
//!
//! Source: the lock of J. M. Mellor-Crummey, M. L. Scott, "Algorithms for Scalable Synchronization on Shared-Memory
//! Multiprocessors", ACM TOCS 9(1), 1991; spinning for a bounded time: A. R. Karlin et al., "Empirical Studies of
//! Competitive Spinning for a Shared-Memory Multiprocessor", SOSP 1991.

use crate::backoff::SpinThenYield;
use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn};
use crate::ticket::forget_tickets;
use crate::{Deadline, ForkLock, RawLock, TimedLock};
use locktoll_waiting::try_with_naps;

/// A lock that serves threads in the order of their arrival, and whose waiters let others run.
///
/// ```
/// use locktoll_locks::{Mutex, TicketYield};
///
/// // More threads than CPUs: a waiter whose turn has not come lets the others run.
/// static COUNT: Mutex<TicketYield, u32> = Mutex::new(0);
/// std::thread::scope(|scope| {
///     for _ in 0..32 {
///         scope.spawn(|| *COUNT.lock() += 1);
///     }
/// });
/// assert_eq!(*COUNT.lock(), 32);
/// ```
#[derive(Debug)]
pub struct TicketYield {
    next: AtomicU32,
    serving: AtomicU32,
    spin: u32,
}

impl TicketYield {
    /// The default number of spin units before each yield: about 2.5 us.
    pub const DEFAULT_SPIN: u32 = 100;

    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{Mutex, TicketYield};
        ///
        /// struct Queue {
        ///     jobs: Mutex<TicketYield, Vec<u32>>,
        /// }
        /// static QUEUE: Queue = Queue { jobs: Mutex::from_raw(TicketYield::new(), Vec::new()) };
        /// QUEUE.jobs.lock().push(1);
        /// ```
        pub fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// Creates a free lock whose waiters spin for `spin` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) before each yield;
        /// with 0 they only yield.
        ///
        /// ```
        /// use locktoll_locks::{Mutex, TicketYield};
        ///
        /// // A waiter spins for 20 units, about 500 ns, and then lets another thread run, again and again.
        /// static COUNT: Mutex<TicketYield, u32> = Mutex::from_raw(TicketYield::with_spin(20), 0);
        /// *COUNT.lock() += 1;
        /// ```
        pub fn with_spin(spin: u32) -> Self {
            Self { next: AtomicU32::new(0), serving: AtomicU32::new(0), spin }
        }
    }

    #[cold]
    fn await_turn(&self, ticket: u32) {
        let mut backoff = SpinThenYield::new(self.spin);
        // Acquire: pairs with the release of the previous holder (I2).
        while self.serving.load(Ordering::Acquire) != ticket {
            backoff.wait();
        }
    }
}

// SAFETY: exclusion by I1 and I2; the orderings below pass on what the holder wrote.
unsafe impl RawLock for TicketYield {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        // Relaxed: a ticket gives a place in the queue, not the lock (I1).
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        // Acquire: as in `await_turn`.
        if self.serving.load(Ordering::Acquire) != ticket {
            self.await_turn(ticket);
        }
    }

    #[inline]
    fn try_lock(&self) -> bool {
        // Acquire: if the exchange succeeds, this ticket is being served, and this thread holds the lock.
        let ticket = self.serving.load(Ordering::Acquire);
        // Relaxed: as in `lock`. A success means that no ticket was drawn since the last release.
        self.next
            .compare_exchange(
                ticket,
                ticket.wrapping_add(1),
                Ordering::Relaxed,
                Ordering::Relaxed,
            )
            .is_ok()
    }

    #[inline]
    unsafe fn unlock(&self) {
        // Relaxed: only the holder writes `serving` (I2), and that is this thread.
        let ticket = self.serving.load(Ordering::Relaxed);
        // Release: what the holder did is visible to the next ticket's thread.
        self.serving
            .store(ticket.wrapping_add(1), Ordering::Release);
    }

    #[inline]
    fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        self.serving.load(Ordering::Relaxed) != self.next.load(Ordering::Relaxed)
    }
}

// SAFETY: `try_lock` acquires, or nothing does.
unsafe impl TimedLock for TicketYield {
    /// Draws no ticket, since it could not give it back: tries repeatedly, with short sleeps.
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        try_with_naps(self, deadline)
    }
}

impl ForkLock for TicketYield {
    unsafe fn forget_waiters(&self) {
        forget_tickets(&self.next, &self.serving);
    }
}

impl_raw_mutex!(TicketYield);
