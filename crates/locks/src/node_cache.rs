//! Queue nodes for threads that bring none: a per-thread cache in front of a pool of the process.
//!
//! `lock_api`'s traits leave no room for a node, so each thread keeps some. Nearly always a thread
//! holds one queue lock at a time, and then one slot is enough: taking and putting a node is one
//! load and one store.
//!
//! ```text
//! SLOT (one node) <-> SPARES (a short list) <-> POOL (of the process) <- the allocator
//! ```
//!
//! The slot:
//!
//! | value | meaning |
//! |---|---|
//! | a node | the next node that this thread will bring |
//! | null | empty |
//! | `FRESH` | this thread has not registered its clean-up yet |
//! | `CLOSED` | this thread's clean-up has run: nodes come from the pool and return to it |
//!
//! # Invariants
//!
//! - **N1** A node is in one place only: the slot, a spare list, the pool, or in use by a lock.
//! - **N2** A node is never returned to the allocator, so a pointer to a node that another thread may have reused can still be
//!   dereferenced ([`ClhQueue::try_lock_with`](crate::ClhQueue::try_lock_with) relies on this, and so does the late wake of
//!   [`McsPark`](crate::McsPark)). Nodes are reused before new ones are made, except by a thread that finds another thread
//!   popping. So there are as many nodes as were in use at once, plus one for each such collision.
//! - **N3** Slot and spares are touched by their own thread only. A thread's nodes go to the pool
//!   when it ends.
//! - **N4** Any thread pushes onto the pool, but only the thread that has set `POPPING` pops: so the head it has read cannot
//!   be popped and pushed again meanwhile (no ABA).

use core::cell::Cell;
use core::ptr::{NonNull, null_mut, without_provenance_mut};
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use std::boxed::Box;

use crate::queue_node::QueueNode;

const FRESH: *mut QueueNode = without_provenance_mut(1);
const CLOSED: *mut QueueNode = without_provenance_mut(2);
const LAST_MARK: usize = 2;

/// The number of spares besides the slot that a thread keeps; further ones go to the pool. Otherwise, a thread that always
/// unlocks what others have locked would collect their nodes without limit.
const MOST_SPARES: usize = 16;

std::thread_local! {
    // Neither has a destructor, so both stay usable while the thread's other values are destroyed. If they are destroyed all
    // the same (`register`), they are made anew on demand, with their own clean-up.
    static SLOT: Cell<*mut QueueNode> = const { Cell::new(FRESH) };
    static SPARES: Cell<(*mut QueueNode, usize)> = const { Cell::new((null_mut(), 0)) };
    static CLEANUP: Cleanup = const { Cleanup };
}

/// Takes a node for the calling thread to bring to a lock.
#[inline]
pub(crate) fn take() -> NonNull<QueueNode> {
    let node = SLOT.get();
    if node.addr() > LAST_MARK {
        SLOT.set(null_mut());
        // SAFETY: not null: its address is above the marks (N1: it belongs to this thread alone).
        unsafe { NonNull::new_unchecked(node) }
    } else {
        take_slowly()
    }
}

/// Takes back a node that is no longer in a queue.
#[inline]
pub(crate) fn put(node: NonNull<QueueNode>) {
    if SLOT.get().is_null() {
        SLOT.set(node.as_ptr());
    } else {
        put_slowly(node);
    }
}

#[cold]
fn take_slowly() -> NonNull<QueueNode> {
    register();
    let (head, count) = SPARES.get();
    if let Some(node) = NonNull::new(head) {
        // SAFETY: N1, N2: a spare is a live node of this thread.
        let next = unsafe { node.as_ref() }.link.load(Ordering::Relaxed);
        SPARES.set((next, count - 1));
        return node;
    }
    pool::pop().unwrap_or_else(|| NonNull::from(Box::leak(Box::new(QueueNode::new()))))
}

#[cold]
fn put_slowly(node: NonNull<QueueNode>) {
    register();
    let (head, count) = SPARES.get();
    if SLOT.get().is_null() {
        SLOT.set(node.as_ptr());
    } else if SLOT.get() == CLOSED || count == MOST_SPARES {
        pool::push(node);
    } else {
        // SAFETY: N1, N2: the node is live, and this thread has it. Relaxed: only this thread reads it (N3).
        unsafe { node.as_ref() }.link.store(head, Ordering::Relaxed);
        SPARES.set((node.as_ptr(), count + 1));
    }
}

/// Ensures that this thread's nodes are given up when it ends (N3).
fn register() {
    if SLOT.get() == FRESH {
        // On some systems, a thread's values are boxes behind system keys (Windows with the GNU tools). There the standard
        // library destroys them, even those without a destructor, in the reverse order in which the keys were made. So the
        // clean-up's key is made last: it is destroyed first, and still finds the others.
        SPARES.get();
        // Touching it registers its destructor. An error means that it has already run, or is running now, which is impossible
        // while the slot is fresh, unless nothing was ever kept.
        let kept = CLEANUP.try_with(|_| ()).is_ok();
        SLOT.set(if kept { null_mut() } else { CLOSED });
    }
}

struct Cleanup;

impl Drop for Cleanup {
    fn drop(&mut self) {
        let slot = SLOT.replace(CLOSED);
        if slot.addr() > LAST_MARK {
            // SAFETY: not null, as in `take`.
            pool::push(unsafe { NonNull::new_unchecked(slot) });
        }
        let (mut head, _) = SPARES.replace((null_mut(), 0));
        while let Some(node) = NonNull::new(head) {
            // SAFETY: N1, N2; it is read before the push, after which the node no longer belongs to this thread.
            head = unsafe { node.as_ref() }.link.load(Ordering::Relaxed);
            pool::push(node);
        }
    }
}

/// The nodes that belong to no thread.
mod pool {
    use super::*;

    static HEAD: AtomicPtr<QueueNode> = AtomicPtr::new(null_mut());
    static POPPING: AtomicBool = AtomicBool::new(false);

    pub(super) fn push(node: NonNull<QueueNode>) {
        // Relaxed: a hint for the exchange.
        let mut head = HEAD.load(Ordering::Relaxed);
        loop {
            // SAFETY: N1, N2: the node is live, and this thread has it. Relaxed: published by the exchange.
            unsafe { node.as_ref() }.link.store(head, Ordering::Relaxed);
            // Release: a thread that pops the node sees its link.
            match HEAD.compare_exchange_weak(
                head,
                node.as_ptr(),
                Ordering::Release,
                Ordering::Relaxed,
            ) {
                Ok(_) => return,
                Err(now) => head = now,
            }
        }
    }

    /// Pops a node, unless there is none or another thread is popping. Not waiting keeps this safe in the child of a fork that
    /// happened in the middle of a pop: the child allocates instead.
    pub(super) fn pop() -> Option<NonNull<QueueNode>> {
        // Acquire, with the release below: pops follow one another (N4).
        if POPPING.swap(true, Ordering::Acquire) {
            return None;
        }
        // Acquire, here and on failure: pairs with the release of the push, for the link.
        let mut head = HEAD.load(Ordering::Acquire);
        let node = loop {
            let Some(node) = NonNull::new(head) else {
                break None;
            };
            // SAFETY: N2, and by N4 the node is still in the pool.
            let next = unsafe { node.as_ref() }.link.load(Ordering::Relaxed);
            match HEAD.compare_exchange_weak(head, next, Ordering::Acquire, Ordering::Acquire) {
                Ok(_) => break Some(node),
                Err(now) => head = now,
            }
        };
        POPPING.store(false, Ordering::Release);
        node
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::thread;
    use std::vec::Vec;

    use super::{MOST_SPARES, put, take};

    /// Takes `count` nodes at once, puts them back, and returns their addresses.
    fn borrow(count: usize) -> BTreeSet<usize> {
        let nodes: Vec<_> = (0..count).map(|_| take()).collect();
        let addresses = nodes.iter().map(|node| node.addr().get()).collect();
        nodes.into_iter().for_each(put);
        addresses
    }

    /// A single test, since the pool belongs to the process: it checks which thread has which node.
    #[test]
    fn nodes_are_distinct_kept_and_handed_on() {
        // This is more than a thread keeps, so that some go to the pool at once, and the others when the thread ends.
        let count = 2 * MOST_SPARES;
        let first = thread::spawn(move || {
            let nodes = borrow(count);
            assert_eq!(nodes.len(), count, "each node is in one place");
            let slot = borrow(1);
            assert_eq!(slot, borrow(1), "a thread comes back to its own node");
            nodes
        });
        let first = first.join().unwrap();
        let second = thread::spawn(move || borrow(count)).join().unwrap();
        assert_eq!(first, second, "an ended thread's nodes are used again");
    }
}
