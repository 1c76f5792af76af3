//! The ticket lock with proportional back-off: the further from the front a waiter is, the longer it pauses.
//!
//! A ticket shows how many holders come first, so a waiter can stay away from the cache line for
//! about as long as these will need.
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
//! Source: J. M. Mellor-Crummey, M. L. Scott, "Algorithms for Scalable Synchronization on
//! Shared-Memory Multiprocessors", ACM TOCS 9(1), 1991, section 2.2.

use crate::backoff::pause_for;
use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn};
use crate::ticket::forget_tickets;
use crate::{Deadline, ForkLock, RawLock, TimedLock};
use locktoll_waiting::try_with_naps;

/// A ticket lock whose waiters pause in proportion to the number of tickets in front of theirs.
///
/// ```
/// use locktoll_locks::{Mutex, TicketBackoff};
///
/// static SERVED: Mutex<TicketBackoff, Vec<u32>> = Mutex::new(Vec::new());
/// std::thread::scope(|scope| {
///     for customer in 0..4 {
///         // The third in the queue pauses three times as long between two checks as the first.
///         scope.spawn(move || SERVED.lock().push(customer));
///     }
/// });
/// assert_eq!(SERVED.lock().len(), 4);
/// ```
#[derive(Debug)]
pub struct TicketBackoff {
    next: AtomicU32,
    serving: AtomicU32,
    pause: u32,
}

/// The longest single pause, in spin units (about 25 us): a guess must not cause a delay.
const LONGEST_PAUSE: u32 = 1024;

impl TicketBackoff {
    /// The default pause for each ticket in front, in spin units: about 50 ns.
    pub const DEFAULT_SPIN: u32 = 2;

    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{RawLock, TicketBackoff};
        ///
        /// static LOCK: TicketBackoff = TicketBackoff::new();
        /// LOCK.lock();
        /// // SAFETY: acquired above.
        /// unsafe { LOCK.unlock() };
        /// assert!(!LOCK.is_locked());
        /// ```
        pub fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// Creates a free lock whose waiters pause `pause` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) for each ticket in
        /// front of theirs.
        ///
        /// ```
        /// use locktoll_locks::{Mutex, SPIN_UNIT_NS, TicketBackoff};
        ///
        /// // About as long as one critical section takes, here 200 ns.
        /// let raw = TicketBackoff::with_spin(200 / SPIN_UNIT_NS);
        /// let count = Mutex::from_raw(raw, 0);
        /// *count.lock() += 1;
        /// assert_eq!(count.into_inner(), 1);
        /// ```
        pub fn with_spin(pause: u32) -> Self {
            Self { next: AtomicU32::new(0), serving: AtomicU32::new(0), pause }
        }
    }
}

// SAFETY: exclusion by I1 and I2; the orderings below pass on what the holder wrote.
unsafe impl RawLock for TicketBackoff {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        // Relaxed: a ticket gives a place in the queue, not the lock (I1).
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        loop {
            // Acquire: pairs with the release of the previous holder (I2).
            let in_front = ticket.wrapping_sub(self.serving.load(Ordering::Acquire));
            if in_front == 0 {
                return;
            }
            pause_for(in_front.saturating_mul(self.pause).min(LONGEST_PAUSE));
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
unsafe impl TimedLock for TicketBackoff {
    /// Draws no ticket, since it could not give it back: tries repeatedly, with short sleeps.
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        try_with_naps(self, deadline)
    }
}

impl ForkLock for TicketBackoff {
    unsafe fn forget_waiters(&self) {
        forget_tickets(&self.next, &self.serving);
    }
}

impl_raw_mutex!(TicketBackoff);
