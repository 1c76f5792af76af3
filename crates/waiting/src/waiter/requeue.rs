//! The fate of the waiters that a broadcast has taken: each is released, or all are moved to the queue of the lock that they
//! are going to need. Invariants: see `condition`.

use core::ptr::null_mut;

use super::Waiter;
use crate::sync::Ordering;

/// A place in the queue of a lock, for one waiter.
pub trait Place {
    /// Moves waiters to the queue of this place's lock (I7), and returns `true`; the caller then no longer touches any of
    /// them. Returns `false` if they would not sleep there, or wait with different locks; then they are unchanged.
    ///
    /// # Safety
    /// There are at least two. They have been taken and not let go, and have places for locks of the same type.
    unsafe fn admit(&self, waiters: &Taken) -> bool;
}

/// Waiters that a broadcast has taken off the queue of a condition and not let go. The oldest is first, and they are linked by
/// `next`.
#[derive(Debug)]
pub struct Taken {
    first: *mut Waiter,
    last: *mut Waiter,
    /// Whether each of them has a place.
    placed: bool,
}

// Relaxed, wherever links are read or written: the waiters belong to the calling thread, by I4.
impl Taken {
    pub(crate) const fn new() -> Self {
        Self {
            first: null_mut(),
            last: null_mut(),
            placed: true,
        }
    }

    /// Adds a waiter.
    ///
    /// # Safety
    /// It has been taken and not let go, and is in no queue.
    pub(crate) unsafe fn push(&mut self, waiter: *mut Waiter) {
        // SAFETY: I4.
        let node = unsafe { &*waiter };
        node.next.store(null_mut(), Ordering::Relaxed);
        self.placed &= node.place().is_some();
        if self.last.is_null() {
            self.first = waiter;
        } else {
            // SAFETY: I4.
            unsafe { (*self.last).next.store(waiter, Ordering::Relaxed) };
        }
        self.last = waiter;
    }

    /// Moves them, or lets them go.
    pub(crate) fn requeue_or_let_go(self) {
        // SAFETY: I4.
        let place = unsafe { self.first.as_ref() }.and_then(Waiter::place);
        let several = !core::ptr::eq(self.first, self.last);
        if let Some(place) = place
            && several
            && self.placed
        {
            // SAFETY: I7: the places exist, and are for locks of one type, as all threads that wait at the same time promise.
            let moved = unsafe { (*place).admit(&self) };
            if moved {
                return;
            }
        }
        for waiter in self.each() {
            // SAFETY: I4.
            unsafe { Waiter::let_go(waiter) };
        }
    }

    /// Iterates over the waiters. Each may no longer exist when the next is asked for.
    pub(crate) fn each(&self) -> impl Iterator<Item = *mut Waiter> {
        let mut next = self.first;
        core::iter::from_fn(move || {
            let waiter = next;
            // SAFETY: I4: not handed out yet.
            next = unsafe { waiter.as_ref()? }.next.load(Ordering::Relaxed);
            Some(waiter)
        })
    }

    /// Iterates over the places of waiters that are being moved. Each may no longer exist when the next is asked for.
    pub fn places(&self) -> impl Iterator<Item = *const dyn Place> {
        // SAFETY: I4, I7.
        self.each().filter_map(|waiter| unsafe { &*waiter }.place())
    }
}
