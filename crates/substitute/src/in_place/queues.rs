//! Queue locks, which consist of the queue's tail and the holder's node.

use core::ptr::{NonNull, null_mut};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::Relaxed;

use locktoll_locks::{
    Deadline, ForkLock, McsParkQueue, McsQueue, QueueNode, RawLock, TimedLock, try_with_naps,
};

use super::nodes;
use super::room::{InPlace, fits};

/// How long a waiter of [`McsPark`] spins before it sleeps, in spin units.
const SPIN: u32 = McsParkQueue::DEFAULT_SPIN;

/// Defines a queue lock in two words.
macro_rules! queue_lock {
    ($(#[$doc:meta])* $lock:ident, $queue:ident $(, $spin:expr)?) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $lock {
            queue: $queue,
            /// The holder's node; null from before a release until after the next acquisition. So in the child of a fork, a
            /// node here is in this queue. If there is no node here and the queue is not empty, a thread that does not exist
            /// there was about to hold the lock or had just released it: nobody is in the middle of anything.
            ///
            /// Only the holder reads and writes it, so all accesses are relaxed.
            holder: AtomicPtr<QueueNode>,
        }

        // SAFETY: exclusion and visibility are the queue's. The nodes live forever, and belong to this thread alone from
        // `take` to `put`.
        unsafe impl RawLock for $lock {
            fn new() -> Self {
                Self {
                    queue: $queue::new(),
                    holder: AtomicPtr::new(null_mut()),
                }
            }

            #[inline]
            fn lock(&self) {
                let node = nodes::take();
                // SAFETY: as above.
                unsafe { self.queue.lock_with(node $(, $spin)?) };
                self.holder.store(node.as_ptr(), Relaxed);
            }

            #[inline]
            fn try_lock(&self) -> bool {
                if self.queue.is_locked() {
                    return false;
                }
                let node = nodes::take();
                // SAFETY: as above.
                let acquired = unsafe { self.queue.try_lock_with(node) };
                if acquired {
                    self.holder.store(node.as_ptr(), Relaxed);
                } else {
                    nodes::put(node);
                }
                acquired
            }

            #[inline]
            unsafe fn unlock(&self) {
                // There is none if the program releases a lock that nobody holds, which C libraries tolerate.
                let Some(node) = NonNull::new(self.holder.load(Relaxed)) else {
                    return;
                };
                self.holder.store(null_mut(), Relaxed);
                // SAFETY: held, by the caller's promise, with the node in `holder`.
                unsafe { self.queue.unlock_with(node) };
                nodes::put(node);
            }

            #[inline]
            fn is_locked(&self) -> bool {
                self.queue.is_locked()
            }
        }

        // SAFETY: `try_lock` acquires, or nothing does.
        unsafe impl TimedLock for $lock {
            /// Takes no place in the queue, since it could not leave it: tries repeatedly, with short sleeps.
            fn try_lock_until(&self, deadline: &Deadline) -> bool {
                try_with_naps(self, deadline)
            }
        }

        impl ForkLock for $lock {
            unsafe fn forget_waiters(&self) {
                let holder = NonNull::new(self.holder.load(Relaxed));
                // SAFETY: the trait's callers are alone with the lock; nodes live forever.
                unsafe { self.queue.forget_waiters(holder) };
            }
        }

        const _: () = assert!(fits::<$lock>());

        // SAFETY: it fits, as the line above proves. A release touches nothing of the lock after the queue's last step, only
        // the node. Nodes are obtained without an allocation or another lock.
        unsafe impl InPlace for $lock {
            fn prepare() {
                nodes::prepare();
            }

            fn with_parameter(_: u32) -> Self {
                Self::new()
            }
        }
    };
}

queue_lock! {
    /// Each waiter spins on its own node.
    Mcs, McsQueue
}
queue_lock! {
    /// Each waiter spins on its own node for a while, then sleeps on it.
    McsPark, McsParkQueue, SPIN
}
