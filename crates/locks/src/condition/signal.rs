//! Signal and broadcast. Invariants: see `condition`.

use super::{Condition, Taken, Waiter};
use crate::sync::{Ordering, planted};

impl Condition {
    /// Lets the oldest waiter go, if there is one.
    #[inline]
    pub fn signal(&self) {
        // Relaxed: I6.
        if !self.first.load(Ordering::Relaxed).is_null() {
            self.signal_one();
        }
    }

    #[cold]
    fn signal_one(&self) {
        self.lock_queue();
        let newest = planted("a signal goes to the newest");
        let mut waiter = if newest { &self.last } else { &self.first }.load(Ordering::Relaxed);
        while !waiter.is_null() {
            // SAFETY: I1: it stands in the queue, so it is there.
            let node = unsafe { &*waiter };
            if node.take() {
                self.unlink(node);
                break;
            }
            waiter = node.next.load(Ordering::Relaxed);
        }
        if planted("let go before the queue is released") && !waiter.is_null() {
            // SAFETY: a fault: as below, and too early.
            unsafe { Waiter::let_go(waiter) };
            return self.unlock_queue();
        }
        self.unlock_queue();
        if !waiter.is_null() {
            // SAFETY: I2: taken above, and let go by nobody else.
            unsafe { Waiter::let_go(waiter) };
        }
    }

    /// Lets all waiters go.
    #[inline]
    pub fn broadcast(&self) {
        // Relaxed: I6.
        if !self.first.load(Ordering::Relaxed).is_null() {
            self.broadcast_all();
        }
    }

    #[cold]
    fn broadcast_all(&self) {
        self.lock_queue();
        // Those that leave stay.
        let mut taken = Taken::new();
        let mut waiter = self.first.load(Ordering::Relaxed);
        while !waiter.is_null() {
            // SAFETY: I1: it stands in the queue, so it is there.
            let node = unsafe { &*waiter };
            let next = node.next.load(Ordering::Relaxed);
            if node.take() {
                self.unlink(node);
                // SAFETY: I4: taken and off the queue, and not let go.
                unsafe { taken.push(waiter) };
            }
            waiter = next;
        }
        self.unlock_queue();
        taken.requeue_or_let_go();
    }
}
