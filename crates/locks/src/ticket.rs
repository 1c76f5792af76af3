//! The ticket lock: first come, first served.
//!
//! | `next` | `serving` | meaning |
//! |---|---|---|
//! | n | n | free |
//! | n + 1 | n | held by ticket n, no thread waits |
//! | n + w + 1 | n | held by ticket n, w threads wait |
//!
//! Both counters wrap; fewer than 2^32 threads wait at once.
//!
//! # Invariants
//!
//! - **I1** A ticket is drawn by one thread only (an atomic increment).
//! - **I2** The holder is the thread whose ticket equals `serving`; only the holder advances it.
//!
//! A waiter that is preempted when its turn comes stalls all threads behind it. With more threads
//! than processors, each hand-over can cost a time slice.
//!
//! Source: J. M. Mellor-Crummey, M. L. Scott, "Algorithms for Scalable Synchronization on
//! Shared-Memory Multiprocessors", ACM TOCS 9(1), 1991; the idea is from D. P. Reed, R. K. Kanodia,
//! "Synchronization with Eventcounts and Sequencers", CACM 22(2), 1979.

use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn, spin_loop};
use crate::{Deadline, ForkLock, RawLock, TimedLock};
use locktoll_waiting::try_with_naps;

/// A spin lock that serves threads in the order of their arrival.
///
/// ```
/// use locktoll_locks::{Mutex, Ticket};
///
/// static NEXT_ID: Mutex<Ticket, u32> = Mutex::new(1);
/// fn new_id() -> u32 {
///     let mut next = NEXT_ID.lock();
///     *next += 1;
///     *next - 1
/// }
/// assert_eq!([new_id(), new_id()], [1, 2]);
/// ```
#[derive(Debug)]
pub struct Ticket {
    next: AtomicU32,
    serving: AtomicU32,
}

impl Ticket {
    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{RawLock, Ticket};
        ///
        /// let lock = Ticket::new();
        /// assert_eq!(size_of_val(&lock), 8);
        /// lock.lock();
        /// // An attempt draws a ticket only if it would be served at once.
        /// assert!(!lock.try_lock());
        /// ```
        pub fn new() -> Self {
            Self { next: AtomicU32::new(0), serving: AtomicU32::new(0) }
        }
    }
}

// SAFETY: exclusion by I1 and I2; the orderings below pass on what the holder wrote.
unsafe impl RawLock for Ticket {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        // Relaxed: a ticket gives a place in the queue, not the lock (I1).
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        // Acquire: pairs with the release of the previous holder (I2).
        while self.serving.load(Ordering::Acquire) != ticket {
            spin_loop();
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
unsafe impl TimedLock for Ticket {
    /// Draws no ticket, since it could not give it back: tries repeatedly, with short sleeps.
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        try_with_naps(self, deadline)
    }
}

/// Takes back all tickets except the one being served, if there is one. For the child of a fork, where nobody has them.
pub(crate) fn forget_tickets(next: &AtomicU32, serving: &AtomicU32) {
    // Relaxed: nobody else uses the lock (see `ForkLock`).
    let serving = serving.load(Ordering::Relaxed);
    if next.load(Ordering::Relaxed) != serving {
        next.store(serving.wrapping_add(1), Ordering::Relaxed);
    }
}

impl ForkLock for Ticket {
    unsafe fn forget_waiters(&self) {
        forget_tickets(&self.next, &self.serving);
    }
}

impl_raw_mutex!(Ticket);
