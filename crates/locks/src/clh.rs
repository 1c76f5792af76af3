//! The CLH queue lock: each waiter spins on its predecessor's node.
//!
//! A thread appends its node with one exchange, and watches the node that was last until then. A release is one store to the
//! holder's own node. That node then belongs to the successor: nodes migrate from thread to thread.
//!
//! The tail:
//!
//! | `tail` | meaning |
//! |---|---|
//! | null | never locked; free |
//! | node in `RELEASED` | free |
//! | node in `WAITING` | held, or waited for |
//! | node in `ABANDONED` | the same as its predecessor (`link`) |
//!
//! A node's state:
//!
//! | state | meaning |
//! |---|---|
//! | 0 `RELEASED` | its owner has released the lock (or it was never in a queue) |
//! | 1 `WAITING` | its owner waits or holds the lock |
//! | 2 `ABANDONED` | its owner has given up; the successor watches `link` instead |
//!
//! # Invariants
//!
//! - **I1** A node is appended by one thread, and watched by one other: the thread that replaced it at the tail.
//! - **I2** A thread holds the lock when it has appended its node and the node before it (skipping
//!   the abandoned) is `RELEASED`, or there is none. Until it releases, every later node waits
//!   behind its own.
//! - **I3** The watcher of a node owns it, once it is `RELEASED` or `ABANDONED`: no other thread
//!   can reach it through the queue.
//! - **I4** `try_lock_with` reads the state of a node that it does not own. So a node must stay
//!   readable as a node for as long as `try_lock_with` may be called on any lock that it was
//!   brought to, even after it came back.
//!
//! A try can be too late: between its read of the last node and its exchange, that node may have
//! left the queue and come back as a waiting one. The try then does not hold the lock, and abandons
//! its place in the queue.
//!
//! Source: T. Craig, "Building FIFO and Priority-Queuing Spin Locks from Atomic Swap", TR 93-02-02,
//! University of Washington, 1993; P. Magnusson, A. Landin, E. Hagersten, "Queue Locks on Cache
//! Coherent Multiprocessors", IPPS 1994. Abandoned nodes: M. L. Scott, W. N. Scherer, "Scalable
//! Queue-Based Spin Locks with Timeout", PPoPP 2001.

use core::ptr::{NonNull, null_mut};

use crate::queue_node::QueueNode;
use crate::sync::{AtomicPtr, Ordering, const_fn, spin_loop};

const RELEASED: u32 = 0;
const WAITING: u32 = 1;
const ABANDONED: u32 = 2;

/// The CLH lock with explicit nodes, for `no_std` and for callers that manage nodes themselves.
///
/// ```
/// use std::ptr::NonNull;
/// use locktoll_locks::{ClhQueue, QueueNode};
///
/// static FIRST: QueueNode = QueueNode::new();
/// static SECOND: QueueNode = QueueNode::new();
/// let lock = ClhQueue::new();
/// let mut back = None;
/// // SAFETY: each node is in one place, and both live for ever.
/// unsafe {
///     let node = NonNull::from(&FIRST);
///     lock.lock_with(node, |_| unreachable!("a new lock has no node to give"));
///     lock.unlock_with(node);
///     let node = NonNull::from(&SECOND);
///     lock.lock_with(node, |node| back = Some(node));
///     lock.unlock_with(node);
/// }
/// assert_eq!(back, Some(NonNull::from(&FIRST)));
/// ```
#[derive(Debug)]
pub struct ClhQueue {
    tail: AtomicPtr<QueueNode>,
}

impl ClhQueue {
    const_fn! {
        /// Creates a free lock without a node.
        ///
        /// ```
        /// static QUEUE: locktoll_locks::ClhQueue = locktoll_locks::ClhQueue::new();
        /// assert_eq!(size_of_val(&QUEUE), size_of::<usize>());
        /// ```
        pub fn new() -> Self {
            Self { tail: AtomicPtr::new(null_mut()) }
        }
    }

    /// Acquires the lock with `node`, which stays in the queue. Each node that the caller gets in
    /// exchange is passed to `recycle`: one in nearly all cases, none if the lock had none, more if
    /// some were abandoned.
    ///
    /// ```
    /// use locktoll_locks::{ClhQueue, QueueNode};
    ///
    /// let queue = ClhQueue::new();
    /// let (mut node, mut back) = (Box::leak(Box::new(QueueNode::new())).into(), None);
    /// // SAFETY: the node is leaked, and in no queue.
    /// unsafe { queue.lock_with(node, |node| back = Some(node)) };
    /// // SAFETY: acquired with this node, which the lock keeps.
    /// unsafe { queue.unlock_with(node) };
    /// // For the next acquisition, the thread has the node that came back, or needs a new one.
    /// node = back.unwrap_or_else(|| Box::leak(Box::new(QueueNode::new())).into());
    /// ```
    ///
    /// # Safety
    ///
    /// `node` is live, in no queue, and the caller's alone; it stays readable as I4 says.
    #[inline]
    pub unsafe fn lock_with(
        &self,
        node: NonNull<QueueNode>,
        recycle: impl FnMut(NonNull<QueueNode>),
    ) {
        // SAFETY: live, and this thread's own until the exchange below.
        let state = unsafe { node.as_ref() }.state();
        // Relaxed: published by the exchange.
        state.store(WAITING, Ordering::Relaxed);
        // Release: the successor sees WAITING. Acquire: this thread sees its predecessor's node.
        let before = self.tail.swap(node.as_ptr(), Ordering::AcqRel);
        // SAFETY: this thread has appended a node behind `before`.
        unsafe { Self::watch(before, true, recycle) };
    }

    /// Acquires the lock with `node` if no thread holds it or waits. Returns `true` if acquired. In either case nodes come
    /// back through `recycle`, as in [`lock_with`](Self::lock_with); after a failure `node` may be one of them or stay in the
    /// queue.
    ///
    /// ```
    /// use locktoll_locks::{ClhQueue, QueueNode};
    /// static NODES: [QueueNode; 2] = [const { QueueNode::new() }; 2];
    /// let (queue, mut back) = (ClhQueue::new(), None);
    /// // SAFETY: the node is brought once, and lives for ever.
    /// assert!(unsafe { queue.try_lock_with((&NODES[0]).into(), drop) });
    /// // SAFETY: as above.
    /// assert!(!unsafe { queue.try_lock_with((&NODES[1]).into(), |node| back = Some(node)) });
    /// assert_eq!(back, Some((&NODES[1]).into()));
    /// ```
    ///
    /// # Safety
    ///
    /// As for [`lock_with`](Self::lock_with).
    pub unsafe fn try_lock_with(
        &self,
        node: NonNull<QueueNode>,
        mut recycle: impl FnMut(NonNull<QueueNode>),
    ) -> bool {
        // Acquire: to see the last node made.
        let last = self.tail.load(Ordering::Acquire);
        // SAFETY: readable by I4. Relaxed: a hint; `watch` decides.
        let busy = unsafe { last.as_ref() }
            .is_some_and(|last| last.state().load(Ordering::Relaxed) == WAITING);
        if busy {
            recycle(node);
            return false;
        }
        // SAFETY: live, and this thread's own until the exchange succeeds.
        let own = unsafe { node.as_ref() };
        own.state().store(WAITING, Ordering::Relaxed);
        // Release and acquire as in `lock_with`; Relaxed on failure: nothing is read.
        if self
            .tail
            .compare_exchange(last, node.as_ptr(), Ordering::AcqRel, Ordering::Relaxed)
            .is_err()
        {
            recycle(node);
            return false;
        }
        // SAFETY: this thread has appended a node behind `last`.
        match unsafe { Self::watch(last, false, recycle) } {
            None => true,
            Some(before) => {
                // Relaxed: published by the release below.
                own.link.store(before, Ordering::Relaxed);
                // Release: the successor sees `link`, and everything that this thread has seen of `before`.
                own.state().store(ABANDONED, Ordering::Release);
                false
            }
        }
    }

    /// Follows the queue forward from `before` until this thread has the lock, and returns `None`. Without `wait`, gives up at
    /// a waiting node and returns it.
    ///
    /// # Safety
    ///
    /// The caller has just appended a node behind `before`, and is the only one to watch it (I1).
    #[inline]
    unsafe fn watch(
        mut before: *mut QueueNode,
        wait: bool,
        mut recycle: impl FnMut(NonNull<QueueNode>),
    ) -> Option<*mut QueueNode> {
        loop {
            let watched = NonNull::new(before)?;
            // SAFETY: a node in the queue is live (I4), and so is the one that an abandoned node names, since only its
            // watcher, which this thread has become, may take it out (I3).
            let node = unsafe { watched.as_ref() };
            // Acquire: pairs with the release in `unlock_with`, or with the release that abandons a node.
            match node.state().load(Ordering::Acquire) {
                RELEASED => {
                    recycle(watched);
                    return None;
                }
                ABANDONED => {
                    // Relaxed: written before the state that was acquired above.
                    before = node.link.load(Ordering::Relaxed);
                    recycle(watched);
                }
                _ if wait => spin_loop(),
                _ => return Some(before),
            }
        }
    }

    /// Releases the lock. `node` stays with the lock, and then belongs to the next holder.
    ///
    /// ```
    /// use locktoll_locks::{ClhQueue, QueueNode};
    /// static NODE: QueueNode = QueueNode::new();
    /// let mut queue = ClhQueue::new();
    /// // SAFETY: the node is brought once, and lives for ever.
    /// unsafe { queue.lock_with((&NODE).into(), drop) };
    /// // SAFETY: acquired with this node.
    /// unsafe { queue.unlock_with((&NODE).into()) };
    /// // The lock is free, but the node is still its last one, and must not be brought to a lock now.
    /// queue.drain(|last| assert_eq!(last, (&NODE).into()));
    /// ```
    ///
    /// # Safety
    ///
    /// The lock is held with `node`.
    #[inline]
    pub unsafe fn unlock_with(&self, node: NonNull<QueueNode>) {
        // SAFETY: in the queue, hence live (I4). Release: what the holder did is visible to the node's watcher.
        unsafe { node.as_ref() }
            .state()
            .store(RELEASED, Ordering::Release);
    }

    /// Whether a thread held the lock a moment ago.
    ///
    /// ```
    /// // For assertions: if the lock was free, another thread may have acquired it by now.
    /// assert!(!locktoll_locks::ClhQueue::new().is_locked());
    /// ```
    pub fn is_locked(&self) -> bool {
        // Acquire: to see the last node made.
        let mut last = self.tail.load(Ordering::Acquire);
        loop {
            // SAFETY: readable by I4, and so is any node that a node has ever named. If a node has left the queue meanwhile,
            // the answer is merely out of date.
            let Some(node) = (unsafe { last.as_ref() }) else {
                return false;
            };
            // Acquire: pairs with the release that abandons a node, for `link`.
            match node.state().load(Ordering::Acquire) {
                RELEASED => return false,
                ABANDONED => last = node.link.load(Ordering::Relaxed),
                _ => return true,
            }
        }
    }

    /// Takes all nodes out of a lock that no thread uses any longer.
    ///
    /// ```
    /// let mut queue = locktoll_locks::ClhQueue::new();
    /// // SAFETY: the nodes were boxes, and no thread uses them any longer.
    /// queue.drain(|node| drop(unsafe { Box::from_raw(node.as_ptr()) }));
    /// ```
    pub fn drain(&mut self, mut recycle: impl FnMut(NonNull<QueueNode>)) {
        // Acquire, both: to see the nodes as their last users left them.
        let mut last = self.tail.swap(null_mut(), Ordering::Acquire);
        while let Some(node) = NonNull::new(last) {
            // SAFETY: live by I4; exclusive access to the lock means that nobody watches it.
            let kept = unsafe { node.as_ref() };
            let abandoned = kept.state().load(Ordering::Acquire) == ABANDONED;
            last = if abandoned {
                kept.link.load(Ordering::Relaxed)
            } else {
                null_mut()
            };
            recycle(node);
        }
    }
}

impl Default for ClhQueue {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(feature = "std", not(locktoll_loom)))]
pub use cached::Clh;

/// The lock that provides its nodes itself.
#[cfg(all(feature = "std", not(locktoll_loom)))]
mod cached {
    use super::*;
    use crate::raw::impl_raw_mutex;
    use crate::{Deadline, RawLock, TimedLock, node_cache, try_with_naps};

    /// A queue lock whose waiters spin on their predecessors' nodes, in order of arrival.
    ///
    /// A lock that has been used keeps one node of 128 bytes until it is dropped.
    ///
    /// ```
    /// use locktoll_locks::{Clh, Mutex};
    ///
    /// // Any number may be held at once, and released in any order.
    /// let locks: Vec<Mutex<Clh, usize>> = (0..100).map(Mutex::new).collect();
    /// let held: Vec<_> = locks.iter().map(Mutex::lock).collect();
    /// assert_eq!(held.iter().map(|guard| **guard).sum::<usize>(), 4950);
    /// ```
    #[derive(Debug)]
    pub struct Clh {
        queue: ClhQueue,
        /// The holder's node. Only the holder reads and writes it, so all accesses are Relaxed.
        holder: AtomicPtr<QueueNode>,
    }

    impl Clh {
        /// Creates a free lock. It allocates nothing until it is used.
        ///
        /// ```
        /// use locktoll_locks::Clh;
        ///
        /// // A hundred free locks of two words, and no node yet.
        /// static LOCKS: [Clh; 100] = [const { Clh::new() }; 100];
        /// assert_eq!(size_of_val(&LOCKS), 100 * 2 * size_of::<usize>());
        /// ```
        pub const fn new() -> Self {
            Self {
                queue: ClhQueue::new(),
                holder: AtomicPtr::new(null_mut()),
            }
        }
    }

    // SAFETY: exclusion by I2; the orderings of `ClhQueue` pass on what the holder wrote.
    unsafe impl RawLock for Clh {
        fn new() -> Self {
            Self::new()
        }

        #[inline]
        fn lock(&self) {
            let node = node_cache::take();
            // SAFETY: the cache's nodes live forever, and are this thread's own when taken (N1, N2).
            unsafe { self.queue.lock_with(node, node_cache::put) };
            self.holder.store(node.as_ptr(), Ordering::Relaxed);
        }

        #[inline]
        fn try_lock(&self) -> bool {
            let node = node_cache::take();
            // SAFETY: as in `lock`.
            let acquired = unsafe { self.queue.try_lock_with(node, node_cache::put) };
            if acquired {
                self.holder.store(node.as_ptr(), Ordering::Relaxed);
            }
            acquired
        }

        #[inline]
        unsafe fn unlock(&self) {
            let node = self.holder.load(Ordering::Relaxed);
            // SAFETY: held, by the caller's promise, so `holder` is the node that it was acquired
            // with.
            unsafe { self.queue.unlock_with(NonNull::new_unchecked(node)) };
        }

        #[inline]
        fn is_locked(&self) -> bool {
            self.queue.is_locked()
        }
    }

    impl Drop for Clh {
        fn drop(&mut self) {
            self.queue.drain(node_cache::put);
        }
    }

    // SAFETY: `try_lock` acquires, or nothing does.
    unsafe impl TimedLock for Clh {
        /// Takes no place in the queue, since it could not leave it: tries repeatedly, with short sleeps.
        fn try_lock_until(&self, deadline: &Deadline) -> bool {
            try_with_naps(self, deadline)
        }
    }

    impl_raw_mutex!(Clh);
}
