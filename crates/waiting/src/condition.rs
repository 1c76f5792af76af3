//! A condition variable: threads wait for a signal, and are released in the order of their arrival.
//!
//! The waiters are in a queue of nodes on their own stacks. A waiter enters the queue before it releases the mutex, so a
//! thread that acquires the mutex afterwards finds it there. A thread that signals takes waiters off the queue. Only then,
//! without touching the object again, it releases them, each through a separate word. Since a signal goes to a thread that was
//! in the queue, no thread that comes later can steal it, as is possible if waiters compare a sequence number
//! (<https://sourceware.org/bugzilla/show_bug.cgi?id=13165>).
//!
//! The queue's lock, the word `lock`: 0 free, 1 held, 2 held and threads may sleep, as in `Futex3` of `locktoll-locks`.
//!
//! A waiter's bits:
//!
//! | bit | set by | meaning |
//! |---|---|---|
//! | 1 `LEAVING` | the waiter | it takes itself off the queue, unless it was already `TAKEN` |
//! | 2 `TAKEN` | a signal, holding the queue's lock | it is released soon, unless it was already `LEAVING` |
//! | 4 `SIGNALLED` | the same signal, having released the queue's lock; or the thread that appoints a waiter that was moved | it has been released |
//! | 8 `POKED` | any thread | it has to check something other than the condition |
//!
//! # Invariants
//!
//! - **I1** The queue (`first`, `last`, the links of the nodes in it) is read and written by the holder of the queue's lock;
//!   only the check whether `first` is null is done without it.
//! - **I2** Of `LEAVING` and `TAKEN`, the one that is set first decides whether the waiter or the signal takes the node off
//!   the queue. So each node is taken off once, and each signal that finds waiters that are not leaving releases one.
//! - **I3** A waiter that is `TAKEN` no longer touches the object, whatever the reason for leaving. A waiter that is `LEAVING`
//!   does, and [`retire`](Condition::retire) waits for it.
//! - **I4** `SIGNALLED` is stored when the signal has touched the object for the last time, and is its last access to the node.
//!   So the waiter may free both.
//! - **I5** The wake of a futex may come after the object or the node is gone. It then wakes no thread, or a thread that
//!   checks again. The address only has to be safe to pass to the kernel, and any address is.
//! - **I6** A signal without the queue's lock reads only `first`. If it finds null, the queue has no waiter that released its
//!   mutex before the signalling thread acquired the same mutex: the mutex orders the two.
//!
//! - **I7** A waiter that has been offered a place in the queue of a lock may be moved there, by a broadcast that has taken it,
//!   instead of being released: from then on it belongs to that queue, and the thread that appoints it there releases it. The
//!   broadcast touches neither the object nor the waiter afterwards. The place is written before the waiter enters the
//!   condition's queue, is read by the signal that has taken it, and exists as long as the waiter.
//!
//! # Moving
//!
//! A broadcast that holds the lock would wake threads that can only fall asleep again, in the lock's queue. A
//! `tollgate::RawMutex` instead takes them into its queue asleep, and each is woken when its turn has come. A single
//! waiter is released, since making releases examine the queue costs more than waking one thread.
//!
//! Source: A. D. Birrell, "Implementing Condition Variables with Semaphores" (2003), which gives each waiter its own
//! semaphore; POSIX.1-2017, `pthread_cond_signal`, for the guarantees of a signal.

mod queue;
mod signal;

use core::ptr::null_mut;

use crate::Deadline;
use crate::RawLock;
use crate::park::Futex;
use crate::sync::{AtomicPtr, Lifetime, Ordering, const_fn, planted};

use crate::waiter::{Taken, Waiter, Woken};
use queue::FREE;

/// A condition variable for any lock: 24 bytes.
///
/// ```
/// use locktoll_waiting::{Condition, RawLock};
/// use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
/// # use locktoll_waiting::system::yield_now;
/// # use std::sync::atomic::Ordering;
/// # struct Lock(AtomicBool);
/// # // SAFETY: the exchange excludes, and orders the holders.
/// # unsafe impl RawLock for Lock {
/// #     fn new() -> Self { Self(AtomicBool::new(false)) }
/// #     fn lock(&self) { while !self.try_lock() { yield_now(); } }
/// #     fn try_lock(&self) -> bool { !self.0.swap(true, Ordering::Acquire) }
/// #     unsafe fn unlock(&self) { self.0.store(false, Ordering::Release) }
/// #     fn is_locked(&self) -> bool { self.0.load(Relaxed) }
/// # }
///
/// // `Lock` is any lock: a type that implements `RawLock`.
/// static LOCK: Lock = Lock(AtomicBool::new(false));
/// static CHANGED: Condition = Condition::new();
/// static DONE: AtomicBool = AtomicBool::new(false);
///
/// std::thread::scope(|scope| {
///     scope.spawn(|| {
///         LOCK.lock();
///         DONE.store(true, Relaxed);
///         unsafe { LOCK.unlock() };
///         CHANGED.signal();
///     });
///     LOCK.lock();
///     while !DONE.load(Relaxed) {
///         unsafe { CHANGED.wait(&LOCK, None) };
///     }
///     unsafe { LOCK.unlock() };
/// });
/// ```
#[repr(C)]
#[derive(Debug)]
pub struct Condition {
    lock: Futex,
    /// 1 while a thread sleeps in `retire`.
    retiring: Futex,
    first: AtomicPtr<Waiter>,
    last: AtomicPtr<Waiter>,
    lifetime: Lifetime,
}

#[cfg(not(locktoll_loom))]
const _: () = assert!(size_of::<Condition>() == 8 + 2 * size_of::<usize>());

impl Condition {
    const_fn! {
        /// Creates a condition without waiters.
        pub fn new() -> Self {
            Self {
                lock: Futex::new(FREE),
                retiring: Futex::new(0),
                first: AtomicPtr::new(null_mut()),
                last: AtomicPtr::new(null_mut()),
                lifetime: Lifetime::new(),
            }
        }
    }

    /// Waits for a signal, or until the deadline. Returns `false` if the deadline came first. `lock` is released during the
    /// wait, and held again afterwards.
    ///
    /// # Safety
    /// The caller holds `lock`. All other threads that wait for this condition at the same time name locks of the same type.
    pub unsafe fn wait<R: RawLock>(&self, lock: &R, deadline: Option<&Deadline>) -> bool {
        // SAFETY: the caller's promise; the waiter is new.
        unsafe { self.wait_as(&Waiter::new(), lock, deadline) }
    }

    /// Does the same as [`wait`](Self::wait), with a waiter that the caller provides.
    ///
    /// # Safety
    /// As for `wait`, and the waiter is new.
    pub unsafe fn wait_as<R: RawLock>(
        &self,
        waiter: &Waiter,
        lock: &R,
        deadline: Option<&Deadline>,
    ) -> bool {
        let wait = || {
            // SAFETY: the waiter stays where it is until it has been let go or has left, below.
            unsafe { self.enlist(waiter) };
            // SAFETY: the caller's promise.
            unsafe { lock.unlock() };
            loop {
                match waiter.sleep(deadline) {
                    Woken::Signalled => return true,
                    // SAFETY: enlisted above.
                    Woken::TimedOut => return unsafe { !self.leave(waiter) },
                    Woken::Poked => {}
                }
            }
        };
        // SAFETY: the caller's promise: the waiter is new.
        unsafe { lock.lock_after_wait(waiter, wait) }
    }

    /// Enters the queue at the end. To be called before the mutex is released.
    ///
    /// # Safety
    /// The waiter is new, and stays where it is until [`Waiter::sleep`] has returned [`Woken::Signalled`] or
    /// [`leave`](Self::leave) has returned.
    pub unsafe fn enlist(&self, waiter: &Waiter) {
        self.lock_queue();
        let own = core::ptr::from_ref(waiter).cast_mut();
        // Relaxed, here and wherever links are read or written: I1.
        let last = self.last.load(Ordering::Relaxed);
        waiter.previous.store(last, Ordering::Relaxed);
        if last.is_null() {
            self.first.store(own, Ordering::Relaxed);
        } else {
            // SAFETY: I1: it is in the queue, so it exists.
            unsafe { (*last).next.store(own, Ordering::Relaxed) };
        }
        self.last.store(own, Ordering::Relaxed);
        self.unlock_queue();
    }

    /// Ends a wait without a signal, and returns `true`. If a signal has already been sent to this waiter, waits until it has
    /// arrived and returns `false`; then the caller has been signalled. The waiter is out of the queue in either case.
    ///
    /// # Safety
    /// The waiter was enlisted with this condition, and has not been released as far as the caller knows.
    pub unsafe fn leave(&self, waiter: &Waiter) -> bool {
        if !waiter.begin_to_leave() && !planted("leaves though taken") {
            // I3.
            waiter.await_signal();
            return false;
        }
        self.lock_queue();
        self.unlink(waiter);
        self.unlock_queue();
        true
    }

    /// Waits until all waiters that were about to leave have left the queue, and all running signals have touched the object
    /// for the last time. To be called before the object is freed or used for something else. It does not return while threads
    /// wait that have not been released.
    pub fn retire(&self) {
        loop {
            self.lock_queue();
            let empty = self.first.load(Ordering::Relaxed).is_null();
            // Relaxed: read and written under the queue's lock.
            self.retiring.store(u32::from(!empty), Ordering::Relaxed);
            self.unlock_queue();
            if empty || planted("retires at once") {
                return;
            }
            self.retiring.wait(1);
        }
    }

    /// Tells the model that the object is freed here.
    #[cfg(locktoll_loom)]
    pub fn end(&self) {
        self.lifetime.end();
    }
}

impl Default for Condition {
    fn default() -> Self {
        Self::new()
    }
}
