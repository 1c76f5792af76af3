//! The few nodes that a thread keeps.
//!
//! # Invariants
//!
//! - **N1** A node is in one place only: in one cache, in the pool, or in use by a lock.
//! - **N2** A cache is touched by its own thread only. `limit` is 0 until the library is sure to notice the thread's end, and
//!   again from that end on: a thread whose end is not noticed keeps no nodes, so that none is lost.

use core::ptr::NonNull;

use locktoll_locks::QueueNode;

use super::{key, pool, tls};

/// The number of nodes that a thread keeps. It may hold as many locks at once without going to the pool.
pub const MOST: u32 = 16;

/// One thread's nodes. It begins as all zeros.
#[repr(C)]
pub struct Cache {
    /// The first node; each is linked to the next.
    head: *mut QueueNode,
    /// The number of nodes.
    count: u32,
    /// The greatest number of nodes allowed (N2).
    limit: u32,
    /// Nonzero once it has been checked whether the thread's end can be noticed.
    has_asked: u32,
}

/// Takes a node that the calling thread can bring to a lock.
#[inline]
pub fn take() -> NonNull<QueueNode> {
    let cache = tls::cache();
    // SAFETY: N2: this is the thread's own cache, which nobody else touches: POSIX does not let signal handlers use locks.
    unsafe {
        let Some(node) = NonNull::new((*cache).head) else {
            return pool::take();
        };
        (*cache).head = node.as_ref().next_spare();
        (*cache).count -= 1;
        node
    }
}

/// Takes back a node that is no longer in a queue.
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
    // SAFETY: the caller's promise; N1: this thread has the node.
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

/// Called when the thread ends: its nodes go to the pool, and so do any that it still uses in the rest of its life.
pub fn close() {
    let cache = tls::cache();
    // SAFETY: as in `take`.
    unsafe {
        (*cache).limit = 0;
        (*cache).count = 0;
        let mut head = core::mem::take(&mut (*cache).head);
        while let Some(node) = NonNull::new(head) {
            // This is read before the node is given away.
            head = node.as_ref().next_spare();
            pool::put(node);
        }
    }
}
