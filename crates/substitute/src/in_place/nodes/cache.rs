//! The few nodes that a thread keeps for itself.
//!
//! # Invariants
//!
//! - **N1** A node is in one place only: in one cache, in the pool, or in use by a lock.
//! - **N2** A cache is touched by its own thread only. `limit` is 0 until the library is sure to notice the thread's end,
//!   and again from that end on: a thread whose end is not noticed keeps no nodes, so that none is lost.

use core::ptr::NonNull;

use locktoll_locks::QueueNode;

use super::{key, pool, tls};

/// How many nodes a thread keeps: as many locks as it may hold at once without going to the pool.
pub const MOST: u32 = 16;

/// One thread's nodes. It begins as zeros.
#[repr(C)]
pub struct Cache {
    /// The first of them, each linked to the next.
    head: *mut QueueNode,
    /// How many there are.
    count: u32,
    /// How many there may be (N2).
    limit: u32,
    /// Not zero once it has been asked whether the thread's end can be noticed.
    has_asked: u32,
}

/// A node for the calling thread to bring to a lock.
#[inline]
pub fn take() -> NonNull<QueueNode> {
    let cache = tls::cache();
    // SAFETY: N2: this thread's own, which nobody else touches: POSIX lets signal handlers use no lock.
    unsafe {
        let Some(node) = NonNull::new((*cache).head) else {
            return pool::take();
        };
        (*cache).head = node.as_ref().next_spare();
        (*cache).count -= 1;
        node
    }
}

/// Takes back a node that is in no queue any more.
#[inline]
pub fn put(node: NonNull<QueueNode>) {
    let cache = tls::cache();
    // SAFETY: as in `take`.
    unsafe {
        if (*cache).count < (*cache).limit {
            keep(cache, node);
        } else {
            put_slowly(cache, node);
        }
    }
}

/// # Safety
/// The cache is the calling thread's.
#[inline]
unsafe fn keep(cache: *mut Cache, node: NonNull<QueueNode>) {
    // SAFETY: the caller's promise; N1: the node is in our hands.
    unsafe {
        node.as_ref().set_next_spare((*cache).head);
        (*cache).head = node.as_ptr();
        (*cache).count += 1;
    }
}

/// # Safety
/// As for [`keep`].
#[cold]
unsafe fn put_slowly(cache: *mut Cache, node: NonNull<QueueNode>) {
    // SAFETY: the caller's promise.
    unsafe {
        if (*cache).has_asked == 0 {
            (*cache).has_asked = 1;
            if key::arm() {
                (*cache).limit = MOST;
                return keep(cache, node);
            }
        }
    }
    pool::put(node);
}

/// The calling thread ends: its nodes go to the pool, and so do those that it may still use in what is left of its life.
pub fn close() {
    let cache = tls::cache();
    // SAFETY: as in `take`.
    unsafe {
        (*cache).limit = 0;
        (*cache).count = 0;
        let mut head = core::mem::take(&mut (*cache).head);
        while let Some(node) = NonNull::new(head) {
            // Read before the node is given away.
            head = node.as_ref().next_spare();
            pool::put(node);
        }
    }
}
