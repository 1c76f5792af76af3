//! Waiters for a condition in the queue of the lock. Invariants: see `tollgate`.

use core::ptr::from_ref;

use super::RawMutex;
use super::queue::Node;
use super::word::{GRANTED, HEIR, QUEUED, has_any, is_free};
use crate::Waiter;
use crate::sync::{Ordering, planted};
use crate::waiter::{Place, Taken};

/// The place of one waiter, on its thread's stack.
#[derive(Debug)]
struct PlaceHere {
    lock: *const RawMutex,
    node: *const Node,
}

/// Acquires the lock after a wait for a condition.
///
/// # Safety
/// The waiter is new, and only the calling thread uses it until `wait` makes it known.
pub(super) unsafe fn lock_after_wait(
    lock: &RawMutex,
    waiter: &Waiter,
    wait: impl FnOnce() -> bool,
) -> bool {
    Node::with(Some(waiter), |node| {
        let place = PlaceHere {
            lock: from_ref(lock),
            node: from_ref(node),
        };
        // SAFETY: the caller's promise; the place exists until `wait` has returned, and so until the waiter has been let go or has
        // left.
        unsafe { waiter.offer(&raw const place) };
        let signalled = wait();
        if node.is_appointed() {
            lock.inherit(Some(node.appointed_for_ns()), None);
        } else {
            lock.lock();
        }
        signalled
    })
}

impl Place for PlaceHere {
    unsafe fn admit(&self, waiters: &Taken) -> bool {
        // SAFETY: none of the waiters has been let go, and they need it.
        let lock = unsafe { &*self.lock };
        // SAFETY: as above; the places of all waiters of a condition have this type, since their locks have one type.
        let is_for_it =
            |place: *const dyn Place| unsafe { (*place.cast::<Self>()).lock == self.lock };
        if !waiters.places().all(is_for_it) {
            return false;
        }
        let mut queue = lock.queue.change();
        // Relaxed throughout: it passes on no data.
        let mut state = lock.word.load(Ordering::Relaxed);
        loop {
            if !can_be_joined(state) {
                return false;
            }
            let heir = if planted("moved without an heir") {
                0
            } else {
                HEIR
            };
            match lock.word.compare_exchange(
                state,
                state | QUEUED | heir,
                Ordering::Relaxed,
                Ordering::Relaxed,
            ) {
                Ok(_) => break,
                Err(now) => state = now,
            }
        }
        for place in waiters.places() {
            // SAFETY: a place for this lock has this type, and exists until the waiter is appointed: as long as the queue is
            // being changed.
            let node = unsafe { &*(*place.cast::<Self>()).node };
            // SAFETY: Q3: new, and not appointed.
            unsafe { queue.push(node) };
        }
        // I3. The heir is woken now: the next release might miss a request made from here on. Only one of several nodes is taken
        // out, so the queue is not empty.
        let appointed = if has_any(state, HEIR) || planted("moved without an heir") {
            None
        } else {
            queue.pop()
        };
        drop(queue);
        if let Some(node) = appointed {
            // SAFETY: taken out above. The lock may be gone, but the node may not (I7, Q2).
            unsafe { Node::appoint(node) };
        }
        true
    }
}

/// Whether waiters can be put into the queue: a thread holds the lock, and is there. During a hand-over they could not revoke
/// it.
fn can_be_joined(state: u64) -> bool {
    !is_free(state) && !has_any(state, GRANTED)
}
