//! The node that a thread brings to a queue lock.

use core::ptr::null_mut;

use crate::park::Futex;
use crate::sync::{AtomicPtr, AtomicU32, Ordering, const_fn};

/// One thread's place in the queue of [`ClhQueue`](crate::ClhQueue), [`McsQueue`](crate::McsQueue)
/// or [`McsParkQueue`](crate::McsParkQueue).
///
/// It has 128 bytes to itself, since a waiter spins on its own node (MCS) or on its predecessor's
/// (CLH).
#[derive(Debug)]
#[repr(align(128))]
pub struct QueueNode {
    /// The word that the waiter watches; each lock's file explains the values.
    pub(crate) state: Futex,
    /// MCS: the successor. CLH: the predecessor of an abandoned node. In a cache: the next spare.
    pub(crate) link: AtomicPtr<QueueNode>,
}

impl QueueNode {
    const_fn! {
        /// Creates a node that is in no queue.
        pub fn new() -> Self {
            Self { state: Futex::new(0), link: AtomicPtr::new(null_mut()) }
        }
    }

    /// Returns the node that was last passed to [`set_next_spare`](Self::set_next_spare), as long as this node has been in no
    /// queue since.
    #[inline]
    pub fn next_spare(&self) -> *mut Self {
        // Relaxed: a list of spare nodes is published by whatever publishes its head.
        self.link.load(Ordering::Relaxed)
    }

    /// Links this node, which is in no queue, in front of another spare node. For callers that manage nodes.
    #[inline]
    pub fn set_next_spare(&self, next: *mut Self) {
        // Relaxed: as above.
        self.link.store(next, Ordering::Relaxed);
    }

    #[inline]
    pub(crate) fn state(&self) -> &AtomicU32 {
        &self.state
    }
}

impl Default for QueueNode {
    fn default() -> Self {
        Self::new()
    }
}
