//! The node that a thread brings to a queue lock.

use core::ptr::null_mut;

use crate::park::Futex;
use crate::sync::{AtomicPtr, AtomicU32, Ordering, const_fn};

/// One thread's place in the queue of [`ClhQueue`](crate::ClhQueue), [`McsQueue`](crate::McsQueue)
/// or [`McsParkQueue`](crate::McsParkQueue).
///
/// It has 128 bytes to itself, since a waiter spins on its own node (MCS) or on its predecessor's
/// (CLH).
///
/// ```
/// use std::ptr::NonNull;
/// use locktoll_locks::{McsQueue, QueueNode};
///
/// assert_eq!((size_of::<QueueNode>(), align_of::<QueueNode>()), (128, 128));
/// let (queue, node) = (McsQueue::new(), QueueNode::new());
/// // SAFETY: the node is in this queue only, and lives until the release.
/// unsafe {
///     queue.lock_with(NonNull::from(&node));
///     queue.unlock_with(NonNull::from(&node));
/// }
/// ```
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
        ///
        /// ```
        /// use locktoll_locks::QueueNode;
        ///
        /// // A node for each of 64 threads, without a heap.
        /// static NODES: [QueueNode; 64] = [const { QueueNode::new() }; 64];
        /// assert!(NODES[0].next_spare().is_null());
        /// ```
        pub fn new() -> Self {
            Self { state: Futex::new(0), link: AtomicPtr::new(null_mut()) }
        }
    }

    /// Returns the node that was last passed to [`set_next_spare`](Self::set_next_spare), as long as this node has been in no
    /// queue since.
    ///
    /// ```
    /// use locktoll_locks::QueueNode;
    ///
    /// // Takes the first node off a list of spare nodes.
    /// fn pop(head: &mut *mut QueueNode) -> Option<&'static QueueNode> {
    ///     // SAFETY: the nodes of this list live for ever.
    ///     let node = unsafe { head.as_ref() }?;
    ///     *head = node.next_spare();
    ///     Some(node)
    /// }
    /// let mut head = Box::into_raw(Box::new(QueueNode::new()));
    /// assert!(pop(&mut head).is_some() && pop(&mut head).is_none());
    /// ```
    #[inline]
    pub fn next_spare(&self) -> *mut Self {
        // Relaxed: a list of spare nodes is published by whatever publishes its head.
        self.link.load(Ordering::Relaxed)
    }

    /// Links this node, which is in no queue, in front of another spare node. For callers that manage nodes.
    ///
    /// ```
    /// use std::ptr::null_mut;
    /// use locktoll_locks::QueueNode;
    ///
    /// // Puts three nodes onto a list, for instance one of the calling thread.
    /// let mut head = null_mut();
    /// for _ in 0..3 {
    ///     let node = Box::leak(Box::new(QueueNode::new()));
    ///     node.set_next_spare(head);
    ///     head = node;
    /// }
    /// assert!(!head.is_null());
    /// ```
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
