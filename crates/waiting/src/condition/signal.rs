//! Signal and broadcast. Invariants: see `condition`.

use super::{Condition, Taken, Waiter};
use crate::sync::{Ordering, planted};

impl Condition {
    /// Releases the oldest waiter, if there is one.
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
            // SAFETY: I1: it is in the queue, so it exists.
            let node = unsafe { &*waiter };
            if node.take() {
                self.unlink(node);
                break;
            }
            waiter = node.next.load(Ordering::Relaxed);
        }
        if planted("let go before the queue is released") && !waiter.is_null() {
            // SAFETY: an injected fault: as below, but too early.
            unsafe { Waiter::let_go(waiter) };
            return self.unlock_queue();
        }
        self.unlock_queue();
        if !waiter.is_null() {
            // SAFETY: I2: taken above, and let go by nobody else.
            unsafe { Waiter::let_go(waiter) };
        }
    }

    /// Releases all waiters.
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
        // Waiters that are leaving stay in the queue.
        let mut taken = Taken::new();
        let mut waiter = self.first.load(Ordering::Relaxed);
        while !waiter.is_null() {
            // SAFETY: I1: it is in the queue, so it exists.
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
