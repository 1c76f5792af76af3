//! The MCS queue lock with spin-then-park waiting.
//!
//! It works like [`Mcs`](crate::Mcs), but a waiter that has used up its spin budget sleeps on its own node, and the holder
//! that grants it the lock wakes it. The order of arrival is kept, so with more threads than processors each hand-over to a
//! sleeper costs a wake-up.
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
//! | 1 `WAITING` | its owner spins |
//! | 2 `PARKED` | its owner sleeps, or is about to |
//!
//! # Invariants
//!
//! - **I1** The thread that exchanged null for its node, or whose node was set to `GRANTED` by the
//!   holder before, is the holder.
//! - **I2** Only the holder takes its node off the tail or grants its successor, and does one of
//!   the two.
//! - **I3** A node that was appended behind another is linked to it soon: the holder may wait for
//!   that link.
//! - **I4** The grant is an exchange: it either sees `PARKED` and wakes, or comes before the
//!   owner's exchange to `PARKED`, which then fails. So a sleeper is always woken.
//! - **I5** The wake may come after the owner has continued, and even after its node has been brought to another lock. It then
//!   wakes no thread, or a waiter that checks again. The address only has to be safe to pass to the kernel, and any address
//!   is.
//!
//! Source: J. M. Mellor-Crummey, M. L. Scott, ACM TOCS 9(1), 1991, for the queue; spin-then-park:
//! A. R. Karlin et al., "Empirical Studies of Competitive Spinning for a Shared-Memory
//! Multiprocessor", SOSP 1991.

use core::ptr::{NonNull, null_mut};

use crate::backoff::SpinBudget;
use crate::queue_node::QueueNode;
use crate::sync::{AtomicPtr, Ordering, const_fn};

const GRANTED: u32 = 0;
const WAITING: u32 = 1;
const PARKED: u32 = 2;

/// The spin-then-park MCS lock with explicit nodes. It is one word: the callers keep the spin length.
///
/// ```
/// use locktoll_locks::{McsParkQueue, QueueNode};
///
/// static QUEUE: McsParkQueue = McsParkQueue::new();
/// std::thread::scope(|scope| {
///     for spin in [0, McsParkQueue::DEFAULT_SPIN] {
///         scope.spawn(move || {
///             let node = QueueNode::new();
///             // SAFETY: this thread's own node, which lives until the release.
///             unsafe { QUEUE.lock_with((&node).into(), spin) };
///             // SAFETY: acquired with this node.
///             unsafe { QUEUE.unlock_with((&node).into()) };
///         });
///     }
/// });
/// ```
#[derive(Debug)]
pub struct McsParkQueue {
    tail: AtomicPtr<QueueNode>,
}

impl McsParkQueue {
    /// The default number of spin units before parking: about 5 us, roughly the cost of a sleep and a wake-up.
    pub const DEFAULT_SPIN: u32 = 200;

    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::McsParkQueue;
        ///
        /// // One word: neither the spin length nor a node is part of the lock.
        /// static QUEUE: McsParkQueue = McsParkQueue::new();
        /// assert_eq!(size_of_val(&QUEUE), size_of::<usize>());
        /// ```
        pub fn new() -> Self {
            Self { tail: AtomicPtr::new(null_mut()) }
        }
    }

    /// Acquires the lock with `node`. If necessary, it spins for `spin` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) and
    /// then parks.
    ///
    /// ```
    /// let (queue, node) = (locktoll_locks::McsParkQueue::new(), locktoll_locks::QueueNode::new());
    /// // If another thread holds the lock, spin for 1 us before parking.
    /// let spin = 1_000 / locktoll_locks::SPIN_UNIT_NS;
    /// // SAFETY: the node is in no queue, and lives longer than the queue is used.
    /// unsafe { queue.lock_with((&node).into(), spin) };
    /// ```
    ///
    /// # Safety
    ///
    /// `node` is live, in no queue, and the caller's alone until
    /// [`unlock_with`](Self::unlock_with).
    #[inline]
    pub unsafe fn lock_with(&self, node: NonNull<QueueNode>, spin: u32) {
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
            own.await_grant(spin);
        }
    }

    /// Acquires the lock with `node` if no thread holds it. Returns `true` if acquired; otherwise no other thread has touched
    /// the node.
    ///
    /// ```
    /// use locktoll_locks::{McsParkQueue, QueueNode};
    /// let (queue, first, second) = (McsParkQueue::new(), QueueNode::new(), QueueNode::new());
    /// // SAFETY: the node is in no queue, and lives longer than the queue is used.
    /// assert!(unsafe { queue.try_lock_with((&first).into()) });
    /// // SAFETY: as above. After this failure, the node can be brought to another lock.
    /// assert!(!unsafe { queue.try_lock_with((&second).into()) });
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
    /// let (queue, node) = (locktoll_locks::McsParkQueue::new(), locktoll_locks::QueueNode::new());
    /// // SAFETY: the node is in no queue, and lives until the release.
    /// assert!(unsafe { queue.try_lock_with((&node).into()) });
    /// // SAFETY: acquired with this node. This wakes the next thread in the queue, if it sleeps.
    /// unsafe { queue.unlock_with((&node).into()) };
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
        // SAFETY: the successor keeps its node until it is granted, and after the grant the node
        // stays readable (I5).
        let state = unsafe { &(*next).state };
        // Release: what the holder did is visible to the successor (I4).
        if state.swap(GRANTED, Ordering::Release) == PARKED {
            state.wake_one();
        }
    }

    /// To be called in the child of a fork: forgets all waiters. `holder` is the node that the lock is held with, if it is
    /// held.
    ///
    /// ```
    /// use locktoll_locks::McsParkQueue;
    ///
    /// let queue = McsParkQueue::new();
    /// // In the child of a fork, where the program's own records say that the forking thread did not hold the lock:
    /// // SAFETY: the child has no other thread.
    /// unsafe { queue.forget_waiters(None) };
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
    /// // For assertions: if the lock was free, another thread may have acquired it by now.
    /// assert!(!locktoll_locks::McsParkQueue::new().is_locked());
    /// ```
    #[inline]
    pub fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        !self.tail.load(Ordering::Relaxed).is_null()
    }
}

impl QueueNode {
    /// Spins, then sleeps, until the node is granted the lock.
    #[cold]
    fn await_grant(&self, spin: u32) {
        let mut budget = SpinBudget::new(spin);
        // Acquire: pairs with the grant.
        while self.state().load(Ordering::Acquire) == WAITING {
            if budget.spin() {
                continue;
            }
            // Failure means that the grant came first (I4). Relaxed on success: nothing acquired
            // yet.
            let _ = self.state().compare_exchange(
                WAITING,
                PARKED,
                Ordering::Relaxed,
                Ordering::Relaxed,
            );
            // Relaxed: the outer loop's load acquires.
            while self.state().load(Ordering::Relaxed) == PARKED {
                self.state.wait(PARKED);
            }
        }
    }
}

impl Default for McsParkQueue {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(feature = "std", not(locktoll_loom)))]
pub use cached::McsPark;

/// The lock that provides its nodes itself.
#[cfg(all(feature = "std", not(locktoll_loom)))]
mod cached {
    use super::*;
    use crate::raw::impl_raw_mutex;
    use crate::{Deadline, RawLock, TimedLock, node_cache, try_with_naps};

    /// A queue lock whose waiters spin for a while and then sleep, in order of arrival.
    ///
    /// ```
    /// use locktoll_locks::{McsPark, Mutex};
    ///
    /// // The threads get the lock in the order of their arrival, even if there are more of them than CPUs.
    /// static VISITS: Mutex<McsPark, u32> = Mutex::new(0);
    /// std::thread::scope(|scope| {
    ///     for _ in 0..8 {
    ///         scope.spawn(|| *VISITS.lock() += 1);
    ///     }
    /// });
    /// assert_eq!(*VISITS.lock(), 8);
    /// ```
    #[derive(Debug)]
    pub struct McsPark {
        queue: McsParkQueue,
        /// The holder's node. Only the holder reads and writes it, so all accesses are Relaxed.
        holder: AtomicPtr<QueueNode>,
        spin: u32,
    }

    impl McsPark {
        /// The default number of spin units before parking.
        pub const DEFAULT_SPIN: u32 = McsParkQueue::DEFAULT_SPIN;

        /// Creates a free lock. It allocates nothing until it is used.
        ///
        /// ```
        /// use locktoll_locks::{McsPark, Mutex};
        ///
        /// static VISITS: Mutex<McsPark, u32> = Mutex::from_raw(McsPark::new(), 0);
        /// *VISITS.lock() += 1;
        /// assert_eq!(*VISITS.lock(), 1);
        /// ```
        pub const fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// Creates a free lock whose waiters spin for `spin` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) before they park.
        ///
        /// ```
        /// use locktoll_locks::{McsPark, Mutex};
        ///
        /// // For long critical sections: a waiter sleeps at once. Each hand-over to a sleeper costs a wake-up.
        /// static FILES: Mutex<McsPark, Vec<&str>> = Mutex::from_raw(McsPark::with_spin(0), Vec::new());
        /// FILES.lock().push("journal");
        /// ```
        pub const fn with_spin(spin: u32) -> Self {
            Self {
                queue: McsParkQueue::new(),
                holder: AtomicPtr::new(null_mut()),
                spin,
            }
        }
    }

    // SAFETY: exclusion by I1 and I2; the orderings of `McsParkQueue` pass on what the holder wrote.
    unsafe impl RawLock for McsPark {
        fn new() -> Self {
            Self::new()
        }

        #[inline]
        fn lock(&self) {
            let node = node_cache::take();
            // SAFETY: the cache's nodes live forever, and are this thread's own when taken (N1, N2).
            unsafe { self.queue.lock_with(node, self.spin) };
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
    unsafe impl TimedLock for McsPark {
        /// Takes no place in the queue, since it could not leave it: tries repeatedly, with short sleeps.
        fn try_lock_until(&self, deadline: &Deadline) -> bool {
            try_with_naps(self, deadline)
        }
    }

    impl_raw_mutex!(McsPark);
}
