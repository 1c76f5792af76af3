//! The MCS queue lock: each waiter spins on its own node.
//!
//! A thread appends its node with one exchange and, if there was a node before, links itself behind
//! it and watches its own. A release hands the lock to the linked successor; if there is none, it
//! takes the node off the tail.
//!
//! | `tail` | meaning |
//! |---|---|
//! | null | free |
//! | a node | held; the node is the last waiter's, or the holder's if no thread waits |
//!
//! A node's state:
//!
//! | state | meaning |
//! |---|---|
//! | 0 `GRANTED` | its owner holds the lock (or the node is in no queue) |
//! | 1 `WAITING` | its owner waits |
//!
//! # Invariants
//!
//! - **I1** The thread that exchanged null for its node, or whose node was set to `GRANTED` by the
//!   holder before, is the holder.
//! - **I2** Only the holder takes its node off the tail or grants its successor, and does one of
//!   the two.
//! - **I3** A node that was appended behind another is linked to it soon: the holder may wait for
//!   that link.
//! - **I4** After the grant, or after the node is off the tail, no other thread has a pointer to
//!   the holder's node.
//!
//! Source: J. M. Mellor-Crummey, M. L. Scott, "Algorithms for Scalable Synchronization on
//! Shared-Memory Multiprocessors", ACM TOCS 9(1), 1991.

use core::ptr::{NonNull, null_mut};

use crate::backoff::SpinThenYield;
use crate::queue_node::QueueNode;
use crate::sync::{AtomicPtr, Ordering, const_fn, spin_loop};

const GRANTED: u32 = 0;
const WAITING: u32 = 1;

/// How long a holder that releases spins for its successor's link before it yields, in spin units: the link comes a few
/// instructions after the exchange.
const LINK_SPIN: u32 = 100;

/// The MCS lock with explicit nodes, for `no_std` and for callers that manage nodes themselves.
///
/// ```
/// use std::ptr::NonNull;
/// use locktoll_locks::{McsQueue, QueueNode};
///
/// let lock = McsQueue::new();
/// let node = QueueNode::new();
/// // SAFETY: the node is in this queue only, and outlives its time there.
/// unsafe {
///     lock.lock_with(NonNull::from(&node));
///     assert!(lock.is_locked());
///     lock.unlock_with(NonNull::from(&node));
/// }
/// assert!(!lock.is_locked());
/// ```
#[derive(Debug)]
pub struct McsQueue {
    tail: AtomicPtr<QueueNode>,
}

impl McsQueue {
    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::McsQueue;
        ///
        /// // One word per lock. Nodes are only needed for the locks that threads hold or wait for.
        /// static ROWS: [McsQueue; 1000] = [const { McsQueue::new() }; 1000];
        /// assert_eq!(size_of_val(&ROWS), 1000 * size_of::<usize>());
        /// ```
        pub fn new() -> Self {
            Self { tail: AtomicPtr::new(null_mut()) }
        }
    }

    /// Acquires the lock with `node`.
    ///
    /// ```
    /// use std::ptr::NonNull;
    /// use locktoll_locks::{McsQueue, QueueNode};
    ///
    /// static QUEUE: McsQueue = McsQueue::new();
    /// fn with_lock<T>(section: impl FnOnce() -> T) -> T {
    ///     // On the stack: the node is needed until the release only. `section` must not panic.
    ///     let node = QueueNode::new();
    ///     // SAFETY: this thread's own node, which is in no queue and lives until the release.
    ///     unsafe { QUEUE.lock_with(NonNull::from(&node)) };
    ///     let result = section();
    ///     // SAFETY: acquired with this node.
    ///     unsafe { QUEUE.unlock_with(NonNull::from(&node)) };
    ///     result
    /// }
    /// assert_eq!(with_lock(|| 7), 7);
    /// ```
    ///
    /// # Safety
    ///
    /// `node` is live, in no queue, and the caller's alone until
    /// [`unlock_with`](Self::unlock_with).
    #[inline]
    pub unsafe fn lock_with(&self, node: NonNull<QueueNode>) {
        // SAFETY: live until this thread unlocks.
        let own = unsafe { node.as_ref() };
        // Relaxed, both: published by the exchange, and by the link below.
        own.link.store(null_mut(), Ordering::Relaxed);
        own.state().store(WAITING, Ordering::Relaxed);
        // Release: the successor sees the node prepared. Acquire: if null, pairs with the release of the previous holder (I1);
        // if not, this thread sees the node before its own prepared.
        let before = self.tail.swap(node.as_ptr(), Ordering::AcqRel);
        // SAFETY: the owner of a node that is in the queue keeps it until it has granted its successor, which this thread
        // becomes through the link (I2, I3).
        if let Some(before) = unsafe { before.as_ref() } {
            // Release: the holder sees WAITING in this thread's node before it grants.
            before.link.store(node.as_ptr(), Ordering::Release);
            // Acquire: pairs with the grant.
            while own.state().load(Ordering::Acquire) == WAITING {
                spin_loop();
            }
        }
    }

    /// Acquires the lock with `node` if no thread holds it. Returns `true` if acquired; otherwise no other thread has touched
    /// the node.
    ///
    /// ```
    /// use std::ptr::NonNull;
    /// use locktoll_locks::{McsQueue, QueueNode};
    ///
    /// let queue = McsQueue::new();
    /// let (held, other) = (QueueNode::new(), QueueNode::new());
    /// // SAFETY: each node is in one place, and outlives the queue's use of it.
    /// unsafe {
    ///     assert!(queue.try_lock_with(NonNull::from(&held)));
    ///     // After a failure, the node can be used for another lock at once.
    ///     assert!(!queue.try_lock_with(NonNull::from(&other)));
    ///     queue.unlock_with(NonNull::from(&held));
    /// }
    /// ```
    ///
    /// # Safety
    ///
    /// As for [`lock_with`](Self::lock_with).
    #[inline]
    pub unsafe fn try_lock_with(&self, node: NonNull<QueueNode>) -> bool {
        // SAFETY: live until this thread unlocks. Relaxed: published by the exchange.
        unsafe { node.as_ref() }
            .link
            .store(null_mut(), Ordering::Relaxed);
        // Acquire and release as in `lock_with`. Relaxed on failure: nothing is read.
        self.tail
            .compare_exchange(
                null_mut(),
                node.as_ptr(),
                Ordering::AcqRel,
                Ordering::Relaxed,
            )
            .is_ok()
    }

    /// Releases the lock. Afterwards `node` belongs to the caller again.
    ///
    /// ```
    /// use std::ptr::NonNull;
    /// use locktoll_locks::{McsQueue, QueueNode};
    ///
    /// let (first, second) = (McsQueue::new(), McsQueue::new());
    /// let node = QueueNode::new();
    /// let node = NonNull::from(&node);
    /// for queue in [&first, &second] {
    ///     // SAFETY: the node has left the previous queue, and lives until the end.
    ///     unsafe { queue.lock_with(node) };
    ///     // SAFETY: acquired with this node. Afterwards it can be brought to the next lock.
    ///     unsafe { queue.unlock_with(node) };
    /// }
    /// ```
    ///
    /// # Safety
    ///
    /// The lock is held with `node`.
    #[inline]
    pub unsafe fn unlock_with(&self, node: NonNull<QueueNode>) {
        // SAFETY: live until this function returns.
        let own = unsafe { node.as_ref() };
        // Acquire: pairs with the link's release, to see the successor's node.
        let mut next = own.link.load(Ordering::Acquire);
        if next.is_null() {
            // Release: what the holder did is visible to the thread that appends to an empty queue. Relaxed on failure:
            // nothing is read.
            if self
                .tail
                .compare_exchange(
                    node.as_ptr(),
                    null_mut(),
                    Ordering::Release,
                    Ordering::Relaxed,
                )
                .is_ok()
            {
                return;
            }
            next = own.await_link();
        }
        // SAFETY: the successor keeps its node until it is granted.
        // Release: what the holder did is visible to the successor.
        unsafe { (*next).state().store(GRANTED, Ordering::Release) };
    }

    /// To be called in the child of a fork: forgets all waiters. `holder` is the node that the lock is held with, if it is
    /// held.
    ///
    /// ```
    /// use std::ptr::NonNull;
    /// use locktoll_locks::{McsQueue, QueueNode};
    ///
    /// let queue = McsQueue::new();
    /// let node = QueueNode::new();
    /// let node = NonNull::from(&node);
    /// // SAFETY: the node is in this queue only.
    /// unsafe { queue.lock_with(node) };
    /// // In the child of a fork, after which the nodes of the parent's waiters are behind this one:
    /// // SAFETY: the child has no other thread, and the node is the holder's.
    /// unsafe { queue.forget_waiters(Some(node)) };
    /// // SAFETY: still held with this node.
    /// unsafe { queue.unlock_with(node) };
    /// assert!(!queue.is_locked());
    /// ```
    ///
    /// # Safety
    ///
    /// No other thread uses the lock, and `holder` is live.
    pub unsafe fn forget_waiters(&self, holder: Option<NonNull<QueueNode>>) {
        if let Some(node) = holder {
            // SAFETY: live by the caller's promise. Relaxed, both: nobody else uses the lock.
            unsafe { node.as_ref() }
                .link
                .store(null_mut(), Ordering::Relaxed);
        }
        let last = holder.map_or(null_mut(), NonNull::as_ptr);
        self.tail.store(last, Ordering::Relaxed);
    }

    /// Whether a thread held the lock a moment ago.
    ///
    /// ```
    /// use std::ptr::NonNull;
    /// use locktoll_locks::{McsQueue, QueueNode};
    ///
    /// let queue = McsQueue::new();
    /// assert!(!queue.is_locked());
    /// let node = QueueNode::new();
    /// // SAFETY: the node is in this queue only, which is not used after it.
    /// assert!(unsafe { queue.try_lock_with(NonNull::from(&node)) });
    /// assert!(queue.is_locked());
    /// ```
    #[inline]
    pub fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        !self.tail.load(Ordering::Relaxed).is_null()
    }
}

impl Default for McsQueue {
    fn default() -> Self {
        Self::new()
    }
}

impl QueueNode {
    /// Waits until a successor that has appended itself has also linked itself (I3).
    #[cold]
    pub(crate) fn await_link(&self) -> *mut QueueNode {
        let mut backoff = SpinThenYield::new(LINK_SPIN);
        loop {
            // Acquire: pairs with the link's release.
            let next = self.link.load(Ordering::Acquire);
            if !next.is_null() {
                return next;
            }
            // The successor may have lost its processor between its two steps.
            backoff.wait();
        }
    }
}

#[cfg(all(feature = "std", not(locktoll_loom)))]
pub use cached::Mcs;

/// The lock that provides its nodes itself.
#[cfg(all(feature = "std", not(locktoll_loom)))]
mod cached {
    use super::*;
    use crate::raw::impl_raw_mutex;
    use crate::{Deadline, RawLock, TimedLock, node_cache, try_with_naps};

    /// A queue lock whose waiters spin on their own nodes, in order of arrival.
    ///
    /// ```
    /// use locktoll_locks::{Mcs, Mutex};
    ///
    /// static LETTERS: Mutex<Mcs, Vec<char>> = Mutex::new(Vec::new());
    /// std::thread::scope(|scope| {
    ///     for letter in ['a', 'b', 'c'] {
    ///         // Each thread waits in its own node, and gets the lock in its turn.
    ///         scope.spawn(move || LETTERS.lock().push(letter));
    ///     }
    /// });
    /// assert_eq!(LETTERS.lock().len(), 3);
    /// ```
    #[derive(Debug)]
    pub struct Mcs {
        queue: McsQueue,
        /// The holder's node. Only the holder reads and writes it, so all accesses are Relaxed.
        holder: AtomicPtr<QueueNode>,
    }

    impl Mcs {
        /// Creates a free lock. It allocates nothing until it is used.
        ///
        /// ```
        /// use locktoll_locks::{Mcs, Mutex};
        ///
        /// // Nodes come from a cache of the thread, so several locks may be held, and released in any order.
        /// let (from, to) = (Mutex::from_raw(Mcs::new(), 5), Mutex::from_raw(Mcs::new(), 0));
        /// let (mut source, mut target) = (from.lock(), to.lock());
        /// std::mem::swap(&mut *source, &mut *target);
        /// drop(source);
        /// assert_eq!(*target, 5);
        /// ```
        pub const fn new() -> Self {
            Self {
                queue: McsQueue::new(),
                holder: AtomicPtr::new(null_mut()),
            }
        }
    }

    // SAFETY: exclusion by I1 and I2; the orderings of `McsQueue` pass on what the holder wrote.
    unsafe impl RawLock for Mcs {
        fn new() -> Self {
            Self::new()
        }

        #[inline]
        fn lock(&self) {
            let node = node_cache::take();
            // SAFETY: the cache's nodes live forever, and are this thread's own when taken (N1, N2).
            unsafe { self.queue.lock_with(node) };
            self.holder.store(node.as_ptr(), Ordering::Relaxed);
        }

        #[inline]
        fn try_lock(&self) -> bool {
            let node = node_cache::take();
            // SAFETY: as in `lock`.
            let acquired = unsafe { self.queue.try_lock_with(node) };
            if acquired {
                self.holder.store(node.as_ptr(), Ordering::Relaxed);
            } else {
                node_cache::put(node);
            }
            acquired
        }

        #[inline]
        unsafe fn unlock(&self) {
            // SAFETY: held, by the caller's promise, so `holder` is the node that it was acquired with. It is read before the
            // release, after which the next holder writes it.
            unsafe {
                let node = NonNull::new_unchecked(self.holder.load(Ordering::Relaxed));
                self.queue.unlock_with(node);
                node_cache::put(node);
            }
        }

        #[inline]
        fn is_locked(&self) -> bool {
            self.queue.is_locked()
        }
    }

    // SAFETY: `try_lock` acquires, or nothing does.
    unsafe impl TimedLock for Mcs {
        /// Takes no place in the queue, since it could not leave it: tries repeatedly, with short sleeps.
        fn try_lock_until(&self, deadline: &Deadline) -> bool {
            try_with_naps(self, deadline)
        }
    }

    impl_raw_mutex!(Mcs);
}
