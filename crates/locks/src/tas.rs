//! Test-and-set by an unconditional exchange (x86: `xchg`).
//!
//! This is the simplest lock: every attempt is a write, so all waiters take the cache line from each other, and the holder has
//! to compete for it in order to release.
//!
//! | word | meaning |
//! |---|---|
//! | 0 `FREE` | no thread holds the lock |
//! | 1 `HELD` | a thread holds it |
//!
//! # Invariants
//!
//! - **I1** The thread whose exchange turned `FREE` into `HELD` is the holder.
//! - **I2** Only the holder stores `FREE`.
//!
//! Source: the test-and-set lock of T. E. Anderson, "The Performance of Spin Lock Alternatives for
//! Shared-Memory Multiprocessors", IEEE TPDS 1(1), 1990.

use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn, spin_loop};
use crate::{Deadline, ForkLock, RawLock, TimedLock};
use locktoll_waiting::look_until;

const FREE: u32 = 0;
const HELD: u32 = 1;

/// A spin lock that exchanges until it wins.
///
/// ```
/// use locktoll_locks::{Mutex, Tas};
///
/// let names = Mutex::<Tas, _>::new(Vec::new());
/// names.lock().push("first");
/// let held = names.lock();
/// assert!(names.try_lock().is_none());
/// drop(held);
/// assert_eq!(names.into_inner(), ["first"]);
/// ```
#[derive(Debug)]
pub struct Tas {
    word: AtomicU32,
}

impl Tas {
    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::Tas;
        ///
        /// static LOCKS: [Tas; 16] = [const { Tas::new() }; 16];
        /// assert_eq!(size_of_val(&LOCKS), 16 * 4);
        /// ```
        pub fn new() -> Self {
            Self { word: AtomicU32::new(FREE) }
        }
    }
}

// SAFETY: exclusion by I1 and I2; the orderings below pass on what the holder wrote.
unsafe impl RawLock for Tas {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        while !self.try_lock() {
            spin_loop();
        }
    }

    #[inline]
    fn try_lock(&self) -> bool {
        // Acquire: pairs with the release in `unlock` (I1: this thread is the next holder).
        self.word.swap(HELD, Ordering::Acquire) == FREE
    }

    #[inline]
    unsafe fn unlock(&self) {
        // Release: what the holder did is visible to the thread that replaces FREE.
        self.word.store(FREE, Ordering::Release);
    }

    #[inline]
    fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        self.word.load(Ordering::Relaxed) == HELD
    }
}

// SAFETY: `try_lock` acquires, or nothing does.
unsafe impl TimedLock for Tas {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        look_until(self, deadline, spin_loop)
    }
}

impl ForkLock for Tas {
    /// The word does not store waiters.
    unsafe fn forget_waiters(&self) {}
}

impl_raw_mutex!(Tas);
