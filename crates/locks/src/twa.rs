//! TWA: a ticket lock whose distant waiters wait elsewhere, in a waiting array.
//!
//! In a ticket lock every release disturbs all waiters, since all watch `serving`. Here only the next in line watches it. A
//! thread further back watches one slot of an array that all locks of the process share, chosen by lock and ticket, and each
//! release bumps the slot of the ticket that comes near as a result.
//!
//! | `next` | `serving` | meaning |
//! |---|---|---|
//! | n | n | free |
//! | n + w + 1 | n | held by ticket n, w threads wait: ticket n + 1 on `serving`, the rest on slots |
//!
//! # Invariants
//!
//! - **I1** A ticket is drawn by one thread only (an atomic increment).
//! - **I2** The holder is the thread whose ticket equals `serving`; only the holder advances it.
//! - **I3** A slot only counts events; a change of it means "read `serving` again", whichever lock caused it. Two tickets that
//!   share a slot only cost a needless read.
//! - **I4** A release first advances `serving` and then bumps the slot. A waiter first reads the slot and then `serving`, and
//!   waits on the slot's old value only if `serving` was still far. So it either sees `serving` near, or sees the slot change
//!   later.
//!
//! Only the variant published in 2019 is here: one array, short-term waiters on `serving`.
//!
//! Source: D. Dice, A. Kogan, "TWA: Ticket Locks Augmented with a Waiting Array", Euro-Par 2019.

use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn, spin_loop};
use crate::ticket::forget_tickets;
use crate::{Deadline, ForkLock, RawLock, TimedLock};
use locktoll_waiting::try_with_naps;

/// Tickets at most this far from being served watch `serving` itself. To the model checker, only the served ticket is near, so
/// that two threads are enough to send one to the array.
const NEAR: u32 = if cfg!(locktoll_loom) { 0 } else { 1 };

/// A ticket lock with a waiting array for distant waiters.
///
/// ```
/// use locktoll_locks::{Mutex, Twa};
///
/// // The next in line watches the lock. The others watch slots of an array that all locks share.
/// static TURNS: Mutex<Twa, u32> = Mutex::new(0);
/// std::thread::scope(|scope| {
///     for _ in 0..4 {
///         scope.spawn(|| *TURNS.lock() += 1);
///     }
/// });
/// assert_eq!(*TURNS.lock(), 4);
/// ```
#[derive(Debug)]
pub struct Twa {
    next: AtomicU32,
    serving: AtomicU32,
    #[cfg(locktoll_loom)]
    slots: [AtomicU32; slots::COUNT],
}

impl Twa {
    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{Ticket, Twa};
        ///
        /// // The array is not part of a lock: it is as small as a ticket lock.
        /// static LOCK: Twa = Twa::new();
        /// assert_eq!(size_of_val(&LOCK), size_of::<Ticket>());
        /// ```
        pub fn new() -> Self {
            Self {
                next: AtomicU32::new(0),
                serving: AtomicU32::new(0),
                #[cfg(locktoll_loom)]
                slots: [AtomicU32::new(0), AtomicU32::new(0)],
            }
        }
    }

    /// Waits until `ticket` is near (I4).
    #[cold]
    fn wait_until_near(&self, ticket: u32) {
        let slot = self.slot(ticket);
        loop {
            // Acquire: if this sees a release's bump, the load below sees that release's `serving`.
            let seen = slot.load(Ordering::Acquire);
            // Relaxed: `lock` acquires when the turn has come.
            let far = ticket.wrapping_sub(self.serving.load(Ordering::Relaxed)) > NEAR;
            if !far {
                return;
            }
            // Relaxed: the load above acquires what this load has noticed.
            while slot.load(Ordering::Relaxed) == seen {
                spin_loop();
            }
        }
    }
}

// SAFETY: exclusion by I1 and I2; the orderings below pass on what the holder wrote.
unsafe impl RawLock for Twa {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        // Relaxed: a ticket gives a place in the queue, not the lock (I1).
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        // Acquire, both: pair with the release of the previous holder (I2).
        let in_front = ticket.wrapping_sub(self.serving.load(Ordering::Acquire));
        if in_front == 0 {
            return;
        }
        if in_front > NEAR {
            self.wait_until_near(ticket);
        }
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
        let served = self.serving.load(Ordering::Relaxed).wrapping_add(1);
        let slot = self.slot(served.wrapping_add(NEAR));
        // Release: what the holder did is visible to the next ticket's thread.
        self.serving.store(served, Ordering::Release);
        // Release: a thread that sees the bump sees `serving` as stored above (I4). The lock itself is no longer touched: the
        // next holder may already have freed its memory.
        slot.fetch_add(1, Ordering::Release);
    }

    #[inline]
    fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        self.serving.load(Ordering::Relaxed) != self.next.load(Ordering::Relaxed)
    }
}

// SAFETY: `try_lock` acquires, or nothing does.
unsafe impl TimedLock for Twa {
    /// Draws no ticket, since it could not give it back: tries repeatedly, with short sleeps.
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        try_with_naps(self, deadline)
    }
}

impl ForkLock for Twa {
    unsafe fn forget_waiters(&self) {
        forget_tickets(&self.next, &self.serving);
    }
}

impl_raw_mutex!(Twa);

/// The array that all locks share.
#[cfg(not(locktoll_loom))]
mod slots {
    use super::Twa;
    use crate::sync::AtomicU32;

    /// 16 KiB in all; the size used in the paper.
    const COUNT: usize = 4096;

    static SLOTS: [AtomicU32; COUNT] = [const { AtomicU32::new(0) }; COUNT];

    impl Twa {
        /// Returns the slot of this lock's `ticket`. Slots of neighbouring tickets are 127 apart. This keeps them on different
        /// cache lines, and visits all slots, since 127 and the count have no common factor.
        #[inline]
        pub(super) fn slot(&self, ticket: u32) -> &'static AtomicU32 {
            let place = core::ptr::from_ref(self).addr() ^ (ticket as usize).wrapping_mul(127);
            &SLOTS[place % COUNT]
        }
    }
}

/// Under loom the array is the lock's own, since nothing may outlive one run of a model.
#[cfg(locktoll_loom)]
mod slots {
    use super::Twa;
    use crate::sync::AtomicU32;

    pub(super) const COUNT: usize = 2;

    impl Twa {
        pub(super) fn slot(&self, ticket: u32) -> &AtomicU32 {
            &self.slots[ticket as usize % COUNT]
        }
    }
}
