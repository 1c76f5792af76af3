//! One thread's place in the queue of a condition. Invariants: see `condition`.

mod requeue;

use core::cell::Cell;
use core::fmt;
use core::ptr::null_mut;

use crate::Deadline;
use crate::park::Futex;
use crate::sync::{AtomicPtr, Lifetime, Ordering, const_fn, planted};
pub use requeue::{Place, Taken};

const LEAVING: u32 = 1;
const TAKEN: u32 = 2;
const SIGNALLED: u32 = 4;
const POKED: u32 = 8;

/// A place in the queue of a [`Condition`](crate::Condition), for one wait. Invariants: see `condition`.
pub struct Waiter {
    state: Futex,
    pub(crate) next: AtomicPtr<Self>,
    pub(crate) previous: AtomicPtr<Self>,
    /// The place where it can be moved (I7). Written before it enters the queue.
    place: Cell<Option<*const dyn Place>>,
    lifetime: Lifetime,
}

// SAFETY: I7 says which thread reads the place, and when: it points to data on the waiting thread's stack, where the node is
// too.
unsafe impl Send for Waiter {}
// SAFETY: as above; everything else is atomic.
unsafe impl Sync for Waiter {}

/// The reason why a waiter no longer sleeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// It has been signalled, and is out of the queue.
    Signalled,
    /// A thread called [`Waiter::poke`]. The waiter is still in the queue.
    Poked,
    /// The deadline has come. The waiter is still in the queue.
    TimedOut,
}

impl Waiter {
    const_fn! {
        /// Creates a waiter that is in no queue.
        pub fn new() -> Self {
            Self {
                state: Futex::new(0),
                next: AtomicPtr::new(null_mut()),
                previous: AtomicPtr::new(null_mut()),
                place: Cell::new(None),
                lifetime: Lifetime::new(),
            }
        }
    }

    /// Offers a place in the queue of the lock that the waiter is going to need. The place stays there until the waiter has
    /// been let go or has left.
    ///
    /// # Safety
    /// The waiter has not entered a queue, no other thread uses it, and the place exists until the waiter has been let go or has
    /// left (I7).
    pub unsafe fn offer(&self, place: *const dyn Place) {
        self.place.set(Some(place));
    }

    /// Returns the place, for the thread that has taken the waiter.
    pub(crate) fn place(&self) -> Option<*const dyn Place> {
        self.place.get()
    }

    /// Sleeps until signalled, poked or late. A signal takes precedence over a poke, and both over the deadline.
    pub fn sleep(&self, deadline: Option<&Deadline>) -> Woken {
        loop {
            // Acquire: pairs with the release in `let_go` (I4).
            let state = self.state.load(Ordering::Acquire);
            if state & SIGNALLED != 0 {
                return Woken::Signalled;
            }
            if state & POKED != 0 {
                // Relaxed: a poke passes on no data.
                self.state.fetch_and(!POKED, Ordering::Relaxed);
                return Woken::Poked;
            }
            if deadline.is_some_and(Deadline::has_passed) {
                return Woken::TimedOut;
            }
            self.state.wait_maybe_until(state, deadline);
        }
    }

    /// Makes the waiter return from [`sleep`](Self::sleep), or not begin it.
    pub fn poke(&self) {
        // Relaxed: it passes on no data.
        self.state.fetch_or(POKED, Ordering::Relaxed);
        self.state.wake_one();
    }

    /// Called by a signal that holds the queue's lock and wants the node. Returns whether it gets the node (I2).
    pub(crate) fn take(&self) -> bool {
        // Relaxed: nothing is passed on before `let_go`.
        self.state.fetch_or(TAKEN, Ordering::Relaxed) & LEAVING == 0
    }

    /// Called when the waiter wants to leave. Returns whether it still can (I2).
    pub(crate) fn begin_to_leave(&self) -> bool {
        if planted("leaves without saying so") {
            return self.state.load(Ordering::Relaxed) & TAKEN == 0;
        }
        // Relaxed: nothing is passed on; the queue has a lock.
        self.state.fetch_or(LEAVING, Ordering::Relaxed) & TAKEN == 0
    }

    /// Waits for the signal that has taken this node. The signal needs a few more instructions, or it has moved the waiter,
    /// which then waits for the lock.
    pub(crate) fn await_signal(&self) {
        loop {
            // Acquire: pairs with the release in `let_go` (I4).
            let state = self.state.load(Ordering::Acquire);
            if state & SIGNALLED != 0 {
                return;
            }
            self.state.wait(state);
        }
    }

    /// Lets the waiter go. The waiter may no longer exist when this returns (I4).
    ///
    /// # Safety
    /// The caller has taken the node, or has got it by a move (I7), and has not let it go.
    pub unsafe fn let_go(waiter: *const Self) {
        // SAFETY: the node exists until it is let go; after that, the kernel needs only the address (I5).
        let node = unsafe { &*waiter };
        node.lifetime.touch();
        // Release: the node and the object were touched before (I4).
        node.state.fetch_or(SIGNALLED, Ordering::Release);
        node.state.wake_one();
    }

    /// Tells the model that the node is freed here.
    #[cfg(locktoll_loom)]
    pub fn end(&self) {
        self.lifetime.end();
    }
}

impl fmt::Debug for Waiter {
    /// Without the place, which belongs to the thread that has the waiter (I7).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Waiter").finish_non_exhaustive()
    }
}

impl Default for Waiter {
    fn default() -> Self {
        Self::new()
    }
}
