//! Test-and-test-and-set: waiters spin on a plain read.
//!
//! Waiting threads share the cache line, so they spin in their own caches until the holder writes
//! it. Then all of them try an exchange at once, and all but one fail.
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
//! The first attempt is an exchange, not a read: on a free lock the read would fetch the line in
//! shared state only to ask for it again in exclusive state.
//!
//! Source: L. Rudolph, Z. Segall, "Dynamic Decentralized Cache Schemes for MIMD Parallel
//! Processors", ISCA 1984.

use crate::raw::impl_raw_mutex;
use crate::sync::{AtomicU32, Ordering, const_fn, spin_loop};
use crate::{Deadline, ForkLock, RawLock, TimedLock};
use locktoll_waiting::look_until;

const FREE: u32 = 0;
const HELD: u32 = 1;

/// A spin lock whose waiters read until the lock appears to be free.
///
/// ```
/// use locktoll_locks::{Mutex, Ttas};
///
/// static FLAGS: Mutex<Ttas, [bool; 3]> = Mutex::new([false; 3]);
/// FLAGS.lock()[1] = true;
/// // An attempt on a held lock only reads, so it does not disturb the holder.
/// let held = FLAGS.lock();
/// assert!(FLAGS.try_lock().is_none());
/// assert_eq!(*held, [false, true, false]);
/// ```
#[derive(Debug)]
pub struct Ttas {
    word: AtomicU32,
}

impl Ttas {
    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{RawLock, Ttas};
        ///
        /// // Four bytes next to the data that they protect.
        /// struct Slot {
        ///     lock: Ttas,
        ///     value: u32,
        /// }
        /// let slot = Slot { lock: Ttas::new(), value: 7 };
        /// assert!(slot.lock.try_lock());
        /// assert_eq!((size_of::<Slot>(), slot.value), (8, 7));
        /// ```
        pub fn new() -> Self {
            Self { word: AtomicU32::new(FREE) }
        }
    }
}

// SAFETY: exclusion by I1 and I2; the orderings below pass on what the holder wrote.
unsafe impl RawLock for Ttas {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock(&self) {
        // Acquire: pairs with the release in `unlock`.
        while self.word.swap(HELD, Ordering::Acquire) == HELD {
            // Relaxed: only the exchange acquires.
            while self.word.load(Ordering::Relaxed) == HELD {
                spin_loop();
            }
        }
    }

    #[inline]
    fn try_lock(&self) -> bool {
        // Relaxed and Acquire as in `lock`.
        self.word.load(Ordering::Relaxed) == FREE && self.word.swap(HELD, Ordering::Acquire) == FREE
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
unsafe impl TimedLock for Ttas {
    fn try_lock_until(&self, deadline: &Deadline) -> bool {
        look_until(self, deadline, spin_loop)
    }
}

impl ForkLock for Ttas {
    /// The word does not store waiters.
    unsafe fn forget_waiters(&self) {}
}

impl_raw_mutex!(Ttas);
