//! The queue: threads asleep in the order of their arrival, each on a node on its own stack. It is the lock's second word.
//!
//! The word is the last node's address, or null if there is none; its lowest bit is set while a thread changes the queue. The
//! nodes are a ring: the last one's `next` is the first.
//!
//! # Invariants
//!
//! - **Q1** The ring and its links are read and written by the thread that has set the bit.
//! - **Q2** A node exists as long as it is in the ring, and, once another thread has taken it out, until that thread has
//!   stored `APPOINTED` in it. Its time is written before that store, and read after it.
//! - **Q3** The node of a waiter for a condition, which a broadcast has put here, exists until that waiter has been released.
//!   Only the thread that appoints it releases it.

use core::cell::Cell;
use core::ptr::{from_ref, null, null_mut};

use super::round_trip;
use crate::backoff::SpinThenNap;
use crate::park::Futex;
use crate::sync::{AtomicPtr, Lifetime, Ordering, const_fn, planted};
use crate::{Deadline, Waiter, clock};

/// The units of spinning for the bit, which is set for a few instructions.
const SPIN: u32 = 40;
const CHANGING: usize = 1;

const WAITS: u32 = 0;
/// Taken out of the ring; soon `APPOINTED`.
const TAKEN: u32 = 1;
const APPOINTED: u32 = 2;

/// A waiting thread. It is not padded to 128 bytes, since it lies on its thread's own stack.
#[derive(Debug)]
#[repr(align(8))]
pub(super) struct Node {
    state: Futex,
    next: AtomicPtr<Node>,
    previous: AtomicPtr<Node>,
    /// The clock's reading at that time.
    appointed_at: Cell<u64>,
    /// The waiter that its thread sleeps on, if it waits for a condition. If null, the thread sleeps on `state`.
    waiter: *const Waiter,
    lifetime: Lifetime,
}

impl Node {
    /// Calls `wait` with a new node, which no longer exists when this returns. `waiter` is the thread's waiter, if it waits
    /// for a condition.
    pub(super) fn with<R>(waiter: Option<&Waiter>, wait: impl FnOnce(&Self) -> R) -> R {
        #[cfg(not(locktoll_loom))]
        return wait(&Self::new(waiter));
        #[cfg(locktoll_loom)]
        {
            let node = Self::leaked(waiter);
            let result = wait(node);
            node.end();
            result
        }
    }

    fn new(waiter: Option<&Waiter>) -> Self {
        Self {
            state: Futex::new(WAITS),
            next: AtomicPtr::new(null_mut()),
            previous: AtomicPtr::new(null_mut()),
            appointed_at: Cell::new(0),
            waiter: waiter.map_or(null(), from_ref),
            lifetime: Lifetime::new(),
        }
    }

    /// Makes a leaked node: a wake-up may come when it is no longer used, and needs only the address. In the model, the
    /// address is an object.
    #[cfg(locktoll_loom)]
    pub(super) fn leaked(waiter: Option<&Waiter>) -> &'static Self {
        std::boxed::Box::leak(std::boxed::Box::new(Self::new(waiter)))
    }

    #[cfg(locktoll_loom)]
    pub(super) fn end(&self) {
        self.lifetime.end();
    }

    /// Sleeps until appointed (`true`) or until the deadline.
    pub(super) fn sleep(&self, deadline: Option<&Deadline>) -> bool {
        loop {
            // Acquire: pairs with the release in `appoint` (Q2).
            let state = self.state.load(Ordering::Acquire);
            if state == APPOINTED {
                return true;
            }
            if deadline.is_some_and(Deadline::has_passed) {
                return false;
            }
            self.state.wait_maybe_until(state, deadline);
        }
    }

    /// Whether a waiter for a condition was appointed. To be called after it was let go.
    pub(super) fn is_appointed(&self) -> bool {
        // Relaxed: stored before it was let go (Q3).
        self.state.load(Ordering::Relaxed) == APPOINTED
    }

    /// Returns how long ago it was appointed, once that is known, to about the spin clock's unit.
    pub(super) fn appointed_for_ns(&self) -> u64 {
        let units = clock::units_since(self.appointed_at.get());
        round_trip::took(units);
        u64::from(units) * u64::from(clock::SPIN_UNIT_NS)
    }

    /// Makes the thread whose node was taken the heir.
    ///
    /// # Safety
    /// The caller has taken the node and not appointed it.
    pub(super) unsafe fn appoint(node: *mut Self) {
        // SAFETY: Q2. After the store the kernel needs only the address.
        let node = unsafe { &*node };
        node.lifetime.touch();
        node.appointed_at.set(clock::now());
        let waiter = node.waiter;
        // Release: the node was touched before (Q2).
        node.state.store(APPOINTED, Ordering::Release);
        if waiter.is_null() {
            if !planted("appoints and does not wake") {
                node.state.wake_one();
            }
        } else if !planted("appointed and not let go") {
            // SAFETY: Q3.
            unsafe { Waiter::let_go(waiter) };
        }
    }
}

/// The lock's second word.
#[derive(Debug)]
pub(super) struct Queue {
    last: AtomicPtr<Node>,
    lifetime: Lifetime,
}

/// The queue while this thread has set its bit, which is cleared at the end.
pub(super) struct Changing<'a> {
    queue: &'a Queue,
    last: *mut Node,
}

impl Queue {
    const_fn! {
        pub(super) fn new() -> Self {
            Self {
                last: AtomicPtr::new(null_mut()),
                lifetime: Lifetime::new(),
            }
        }
    }

    /// Waits until no other thread has set the bit, and sets it.
    pub(super) fn change(&self) -> Changing<'_> {
        let mut wait = SpinThenNap::new(SPIN);
        loop {
            // Relaxed: only the exchange sets the bit.
            let last = self.last.load(Ordering::Relaxed);
            if last.addr() & CHANGING == 0 {
                let changing = last.map_addr(|address| address | CHANGING);
                // Acquire: pairs with the release at the end of a change (Q1).
                if self
                    .last
                    .compare_exchange(last, changing, Ordering::Acquire, Ordering::Relaxed)
                    .is_ok()
                {
                    self.lifetime.touch();
                    return Changing { queue: self, last };
                }
            }
            wait.wait();
        }
    }

    #[cfg(locktoll_loom)]
    pub(super) fn end(&self) {
        self.lifetime.end();
    }

    /// Forgets all nodes, whose threads no longer exist.
    pub(super) fn clear(&self) {
        // Relaxed: nobody else uses the lock (see `ForkLock`). It is an exchange, as at the end of a change.
        self.last.swap(null_mut(), Ordering::Relaxed);
    }
}

// Relaxed, wherever links are read or written: Q1.
impl Changing<'_> {
    pub(super) fn is_empty(&self) -> bool {
        self.last.is_null()
    }

    /// Puts a node at the end.
    ///
    /// # Safety
    /// The node is new, and stays where it is as Q2 requires.
    pub(super) unsafe fn push(&mut self, node: &Node) {
        let own = from_ref(node).cast_mut();
        if self.is_empty() {
            link(own, own);
        } else {
            // SAFETY: Q2.
            let first = unsafe { (*self.last).next.load(Ordering::Relaxed) };
            link(self.last, own);
            link(own, first);
        }
        self.last = own;
    }

    /// Takes out the first node. The caller must appoint it.
    pub(super) fn pop(&mut self) -> Option<*mut Node> {
        // SAFETY: Q2.
        let first = unsafe { self.last.as_ref()? }.next.load(Ordering::Relaxed);
        // SAFETY: Q2, it is in the ring.
        let node = unsafe { &*first };
        self.unlink(node);
        // Relaxed: read under the bit, or after `APPOINTED`.
        node.state.store(TAKEN, Ordering::Relaxed);
        Some(first)
    }

    /// Whether no other thread has taken out the caller's node.
    pub(super) fn holds(&self, node: &Node) -> bool {
        // Relaxed: written under the bit, or afterwards by the thread that took it.
        node.state.load(Ordering::Relaxed) == WAITS
    }

    /// Takes out the caller's node. Returns `false` if another thread has already done so.
    pub(super) fn remove(&mut self, node: &Node) -> bool {
        let waits = self.holds(node) || planted("leaves though taken");
        if waits {
            self.unlink(node);
        }
        waits
    }

    fn unlink(&mut self, node: &Node) {
        let (next, previous) = (
            node.next.load(Ordering::Relaxed),
            node.previous.load(Ordering::Relaxed),
        );
        let own = from_ref(node).cast_mut();
        if core::ptr::eq(next, own) {
            self.last = null_mut();
            return;
        }
        link(previous, next);
        if core::ptr::eq(self.last, own) {
            self.last = previous;
        }
    }
}

impl Drop for Changing<'_> {
    fn drop(&mut self) {
        // Release: pairs with the acquire in `change` (Q1). It is an exchange, since the word is also exchanged elsewhere (the
        // model's stores are not ordered with exchanges).
        self.queue.lifetime.touch();
        self.queue.last.swap(self.last, Ordering::Release);
    }
}

fn link(before: *mut Node, after: *mut Node) {
    // SAFETY: Q1 and Q2: both are in the ring, or about to be.
    unsafe {
        (*before).next.store(after, Ordering::Relaxed);
        (*after).previous.store(before, Ordering::Relaxed);
    }
}
