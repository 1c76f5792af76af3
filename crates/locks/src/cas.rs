//! Test-and-set by compare-and-exchange (x86: `lock cmpxchg`).
//!
//! It works like [`Tas`](crate::Tas), but a failed attempt does not write the word. On x86, the cache line is acquired for
//! writing all the same, so little is gained. This lock exists to test that claim.
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
//! Source: Intel, "Implementing Scalable Atomic Locks for Multi-Core Intel EM64T and IA32
//! Architectures" (white paper), which compares the two instructions.

use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn, spin_loop};
use crate::{Deadline, ForkLock, RawLock, TimedLock};
use locktoll_waiting::look_until;

const FREE: u32 = 0;
const HELD: u32 = 1;

/// A spin lock that compares and exchanges until it wins.
///
/// ```
/// use locktoll_locks::{Cas, Mutex};
///
/// static LAST: Mutex<Cas, Option<u32>> = Mutex::new(None);
/// let mut last = LAST.lock();
/// // This attempt compares, finds that the lock is held, and writes nothing.
/// assert!(LAST.try_lock().is_none());
/// *last = Some(7);
/// drop(last);
/// assert_eq!(*LAST.lock(), Some(7));
/// ```
#[derive(Debug)]
pub struct Cas {
    word: AtomicU32,
}

impl Cas {
    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{Cas, RawLock};
        ///
        /// static LOCK: Cas = Cas::new();
        /// assert!(LOCK.try_lock());
        /// assert!(LOCK.is_locked());
        /// // SAFETY: acquired above.
        /// unsafe { LOCK.unlock() };
        /// ```
        pub fn new() -> Self {
            Self { word: AtomicU32::new(FREE) }
        }
    }
}

// SAFETY: exclusion by I1 and I2; the orderings below pass on what the holder wrote.
unsafe impl RawLock for Cas {
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
        // Acquire: pairs with the release in `unlock`. Relaxed on failure: nothing was acquired.
        self.word
            .compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
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
unsafe impl TimedLock for Cas {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        look_until(self, deadline, spin_loop)
    }
}

impl ForkLock for Cas {
    /// The word does not store waiters.
    unsafe fn forget_waiters(&self) {}
}

impl_raw_mutex!(Cas);
