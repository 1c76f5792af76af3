//! The queue of a condition, and its lock. Invariants: see `condition`.

use super::{Condition, Waiter};
use crate::backoff::SpinBudget;
use crate::sync::Ordering;

pub(super) const FREE: u32 = 0;
const HELD: u32 = 1;
const CONTENDED: u32 = 2;

/// The units of spinning before parking at the queue's lock, which is held for a few stores.
const SPIN: u32 = 40;

impl Condition {
    /// Takes a node off the queue. The caller holds the queue's lock.
    pub(super) fn unlink(&self, node: &Waiter) {
        let previous = node.previous.load(Ordering::Relaxed);
        let next = node.next.load(Ordering::Relaxed);
        if previous.is_null() {
            self.first.store(next, Ordering::Relaxed);
        } else {
            // SAFETY: I1: it is in the queue, so it exists.
            unsafe { (*previous).next.store(next, Ordering::Relaxed) };
        }
        if next.is_null() {
            self.last.store(previous, Ordering::Relaxed);
        } else {
            // SAFETY: as above.
            unsafe { (*next).previous.store(previous, Ordering::Relaxed) };
        }
    }

    #[inline]
    pub(super) fn lock_queue(&self) {
        // Acquire: pairs with the release in `unlock_queue` (I1). Relaxed on failure: nothing acquired.
        let acquired = self
            .lock
            .compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed);
        if acquired.is_err() {
            self.lock_queue_contended();
        }
        self.lifetime.touch();
    }

    #[cold]
    fn lock_queue_contended(&self) {
        let mut budget = SpinBudget::new(if cfg!(locktoll_loom) { 0 } else { SPIN });
        while budget.spin() {
            // Relaxed: only the exchange acquires.
            if self.lock.load(Ordering::Relaxed) == FREE
                && self
                    .lock
                    .compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed)
                    .is_ok()
            {
                return;
            }
        }
        // Acquire: as above.
        while self.lock.swap(CONTENDED, Ordering::Acquire) != FREE {
            self.lock.wait(CONTENDED);
        }
    }

    /// Releases the queue. Nothing of the object is touched afterwards (I5).
    #[inline]
    pub(super) fn unlock_queue(&self) {
        // Relaxed throughout: under the queue's lock.
        let retire = self.retiring.load(Ordering::Relaxed) != 0
            && self.first.load(Ordering::Relaxed).is_null();
        if retire {
            self.retiring.store(0, Ordering::Relaxed);
        }
        self.lifetime.touch();
        // Release: pairs with the acquires in `lock_queue` (I1).
        if self.lock.swap(FREE, Ordering::Release) == CONTENDED {
            self.lock.wake_one();
        }
        if retire {
            self.retiring.wake_all();
        }
    }
}
