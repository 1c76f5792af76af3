//! The three-state futex lock in only four bytes, to take the place of another lock of one word.
//!
//! The two upper bits of the word are a signature, so that values that another lock leaves in such a word (zeros, small
//! numbers, small negative numbers) are never mistaken for this lock's values. The caller chooses each time how a thread
//! waits, since the word has no room for that.
//!
//! | word | meaning |
//! |---|---|
//! | 0x4000_0000 `FREE` | no thread holds the lock |
//! | 0x4000_0001 `HELD` | held; no thread sleeps |
//! | 0x4000_0002 `CONTENDED` | held; threads may sleep |
//!
//! # Invariants
//!
//! - **I1** The thread whose exchange replaced `FREE` is the holder.
//! - **I2** Only the holder stores `FREE`, as its last access to the word.
//! - **I3** A thread sleeps only on `CONTENDED`, and takes the lock as `CONTENDED` once it has slept, or was about to. So a
//!   release that leaves sleepers behind sees `CONTENDED`, and wakes one.
//!
//! In the child of a fork, `CONTENDED` may refer to threads that do not exist there. The only effect is one needless wake-up.
//!
//! Source: U. Drepper, "Futexes Are Tricky" (2011), section 6, `mutex2`.

use crate::Waiting;
use crate::backoff::Patience;
use crate::park::Futex;
use crate::sync::{Ordering, const_fn};

const SIGNATURE: u32 = 1 << 30;
const SIGNATURE_BITS: u32 = 3 << 30;
const FREE: u32 = SIGNATURE;
const HELD: u32 = SIGNATURE | 1;
const CONTENDED: u32 = SIGNATURE | 2;

/// A parking lock of four bytes whose values have a signature.
///
/// ```
/// use locktoll_locks::{FutexWord, Waiting};
///
/// let lock = FutexWord::new();
/// lock.lock(Waiting::PARK_AT_ONCE);
/// assert!(!lock.try_lock());
/// // SAFETY: locked above.
/// unsafe { lock.unlock() };
/// assert!(lock.try_lock());
/// ```
#[derive(Debug)]
#[repr(transparent)]
pub struct FutexWord {
    word: Futex,
}

impl FutexWord {
    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::FutexWord;
        ///
        /// static LOCK: FutexWord = FutexWord::new();
        /// assert_eq!(size_of_val(&LOCK), 4);
        /// assert!(LOCK.is_signed() && !LOCK.is_locked());
        /// ```
        pub fn new() -> Self {
            Self { word: Futex::new(FREE) }
        }
    }

    /// Whether the word has this lock's signature.
    ///
    /// ```
    /// use locktoll_locks::FutexWord;
    ///
    /// assert!(FutexWord::new().is_signed());
    /// // The free state of another lock of one word, which is often 0.
    /// // SAFETY: a `FutexWord` is one integer.
    /// let other: FutexWord = unsafe { std::mem::zeroed() };
    /// assert!(!other.is_signed());
    /// ```
    #[inline]
    pub fn is_signed(&self) -> bool {
        // Relaxed: the signature is written before any other thread may use the word.
        self.word.load(Ordering::Relaxed) & SIGNATURE_BITS == SIGNATURE
    }

    /// Waits until the lock is acquired.
    ///
    /// ```
    /// use locktoll_locks::{FutexWord, Waiting};
    ///
    /// static LOCK: FutexWord = FutexWord::new();
    /// // If another thread holds the lock: spin for 2.5 us, yield the processor and spin again, twice, and then sleep.
    /// LOCK.lock(Waiting { spin: 100, yields: 2 });
    /// // SAFETY: acquired above.
    /// unsafe { LOCK.unlock() };
    /// ```
    #[inline]
    pub fn lock(&self, waiting: Waiting) {
        if !self.try_lock() {
            self.lock_contended(waiting);
        }
    }

    #[cold]
    fn lock_contended(&self, waiting: Waiting) {
        let mut patience = Patience::new(waiting);
        while patience.wait() {
            // Relaxed: only the exchange acquires.
            if self.word.load(Ordering::Relaxed) == FREE && self.try_lock() {
                return;
            }
        }
        // Acquire: pairs with the release in `unlock`, if `FREE` is the value replaced (I3).
        while self.word.swap(CONTENDED, Ordering::Acquire) != FREE {
            self.word.wait(CONTENDED);
        }
    }

    /// Acquires the lock if this needs no waiting. Returns `true` if acquired.
    ///
    /// ```
    /// use locktoll_locks::FutexWord;
    ///
    /// let lock = FutexWord::new();
    /// assert!(lock.try_lock(), "free");
    /// assert!(!lock.try_lock(), "held, by the same thread too");
    /// ```
    #[inline]
    pub fn try_lock(&self) -> bool {
        // Acquire: pairs with the release in `unlock` (I1). Relaxed on failure: nothing acquired.
        self.word
            .compare_exchange(FREE, HELD, Ordering::Acquire, Ordering::Relaxed)
            .is_ok()
    }

    /// Releases the lock.
    ///
    /// ```
    /// use locktoll_locks::{FutexWord, Waiting};
    ///
    /// static LOCK: FutexWord = FutexWord::new();
    /// LOCK.lock(Waiting::PARK_AT_ONCE);
    /// // Another thread may release the lock for the holder.
    /// // SAFETY: held, and the thread that acquired it does not release it.
    /// std::thread::spawn(|| unsafe { LOCK.unlock() }).join().unwrap();
    /// assert!(!LOCK.is_locked());
    /// ```
    ///
    /// # Safety
    /// The lock is held, and the caller gives up the holder's rights by this call.
    #[inline]
    pub unsafe fn unlock(&self) {
        // Release: what the holder did is visible to the thread that replaces `FREE`.
        if self.word.swap(FREE, Ordering::Release) == CONTENDED {
            self.word.wake_one();
        }
    }

    /// Whether a thread held the lock a moment ago.
    ///
    /// ```
    /// use locktoll_locks::{FutexWord, Waiting};
    ///
    /// let lock = FutexWord::new();
    /// lock.lock(Waiting::PARK_AT_ONCE);
    /// // For assertions: if the lock was free, another thread may have acquired it by now.
    /// assert!(lock.is_locked());
    /// ```
    #[inline]
    pub fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        self.word.load(Ordering::Relaxed) != FREE
    }
}

impl Default for FutexWord {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, not(locktoll_loom)))]
mod tests {
    use super::*;

    #[test]
    fn the_values_of_other_locks_are_not_signed() {
        // The C library's values: free and held on either architecture, and held with failed attempts.
        for word in [0, 1, u32::MAX, u32::MAX - 1_000_000] {
            let lock = FutexWord {
                word: Futex::new(word),
            };
            assert!(!lock.is_signed(), "{word:x}");
            assert!(!lock.try_lock());
        }
        for word in [FREE, HELD, CONTENDED] {
            assert!(
                FutexWord {
                    word: Futex::new(word)
                }
                .is_signed()
            );
        }
    }
}
