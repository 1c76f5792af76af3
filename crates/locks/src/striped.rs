//! Many locks in place of one: each key has its stripe.
//!
//! Threads that work on different keys mostly meet different locks. Each stripe has its own pair of cache lines, so that
//! taking one does not slow down the others.
//!
//! # Invariants
//!
//! - **I1** The same key always has the same stripe: the number of stripes in use is fixed at
//!   construction.
//!
//! Source: lock striping, as in D. Lea's ConcurrentHashMap (JSR 166, 2004); the multiplier is D.
//! Knuth's, "The Art of Computer Programming" vol. 3, section 6.4.

use crate::{CachePadded, RawLock};

/// An array of at most `N` locks, each alone on its cache lines.
///
/// ```
/// use locktoll_locks::{Futex3, RawLock, Striped};
///
/// static STRIPES: Striped<Futex3, 16> = Striped::INIT;
/// let key = 0x5eed;
/// let lock = STRIPES.of(key);
/// lock.lock();
/// assert!(STRIPES.of(key).is_locked());
/// // SAFETY: locked above.
/// unsafe { lock.unlock() };
/// ```
#[derive(Debug)]
pub struct Striped<R, const N: usize> {
    stripes: [CachePadded<R>; N],
    used: usize,
}

impl<R: RawLock, const N: usize> Striped<R, N> {
    /// Creates `N` free locks.
    ///
    /// ```
    /// use locktoll_locks::{Striped, Ttas};
    ///
    /// let stripes = Striped::<Ttas, 8>::new();
    /// assert_eq!(stripes.len(), 8);
    /// // Each lock has its own 128 bytes.
    /// assert!(size_of_val(&stripes) >= 8 * 128);
    /// ```
    pub fn new() -> Self {
        Self::with_stripes(N)
    }

    /// Creates free locks of which `used` are used. This allows a number that is known only at run time, without a heap.
    ///
    /// ```
    /// use locktoll_locks::{Futex3, Striped};
    ///
    /// // Four locks for each CPU, up to 256.
    /// let cpus = std::thread::available_parallelism().map_or(1, |cpus| cpus.get());
    /// let stripes = Striped::<Futex3, 256>::with_stripes((4 * cpus).min(256));
    /// assert!((1..=256).contains(&stripes.len()));
    /// ```
    ///
    /// # Panics
    ///
    /// If `used` is 0 or above `N`.
    pub fn with_stripes(used: usize) -> Self {
        assert!((1..=N).contains(&used), "{used} stripes of at most {N}");
        Self {
            stripes: core::array::from_fn(|_| CachePadded::new(R::new())),
            used,
        }
    }
}

#[cfg(not(locktoll_loom))]
impl<R: lock_api::RawMutex, const N: usize> Striped<R, N> {
    /// `N` free locks, for statics.
    pub const INIT: Self = Self {
        stripes: [const { CachePadded::new(R::INIT) }; N],
        used: N,
    };
}

impl<R, const N: usize> Striped<R, N> {
    /// Returns the lock of `key` (I1).
    ///
    /// ```
    /// use locktoll_locks::{RawLock, Striped, Ttas};
    ///
    /// static STRIPES: Striped<Ttas, 64> = Striped::INIT;
    /// // The lock of an object that has no room for one: its address is the key.
    /// let object = [0_u8; 16];
    /// let lock = STRIPES.of(object.as_ptr().addr() as u64);
    /// assert!(lock.try_lock());
    /// // SAFETY: acquired above.
    /// unsafe { lock.unlock() };
    /// ```
    #[inline]
    pub fn of(&self, key: u64) -> &R {
        &self.stripes[self.index_of(key)]
    }

    /// Returns the number of that stripe, which is below [`len`](Self::len).
    ///
    /// ```
    /// use locktoll_locks::{Striped, Ttas};
    ///
    /// static STRIPES: Striped<Ttas, 64> = Striped::INIT;
    /// // To lock two keys, lock the lower stripe first, and a common stripe once.
    /// let mut indices = vec![STRIPES.index_of(100), STRIPES.index_of(200)];
    /// indices.sort_unstable();
    /// indices.dedup();
    /// assert!(indices.iter().all(|index| *index < STRIPES.len()));
    /// ```
    #[inline]
    pub fn index_of(&self, key: u64) -> usize {
        // Keys that differ by a power of two, as addresses do, must not share a stripe: mix, then
        // scale the upper half to the number of stripes.
        let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        ((mixed * self.used as u64) >> 32) as usize
    }

    /// Returns how many stripes are in use; never 0.
    ///
    /// ```
    /// use locktoll_locks::{Striped, Ttas};
    ///
    /// assert_eq!(Striped::<Ttas, 16>::new().len(), 16);
    /// assert_eq!(Striped::<Ttas, 16>::with_stripes(5).len(), 5);
    /// ```
    #[expect(clippy::len_without_is_empty, reason = "there is at least one stripe")]
    pub fn len(&self) -> usize {
        self.used
    }

    /// Iterates over all stripes in use, in order. To lock them all, lock them in this order.
    ///
    /// ```
    /// use locktoll_locks::{RawLock, Striped, Ttas};
    ///
    /// let stripes = Striped::<Ttas, 4>::new();
    /// // All threads that lock all stripes do so in the same order, so they cannot block each other.
    /// stripes.iter().for_each(RawLock::lock);
    /// assert!(stripes.iter().all(RawLock::is_locked));
    /// // SAFETY: all of them were acquired above.
    /// stripes.iter().for_each(|lock| unsafe { lock.unlock() });
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = &R> {
        self.stripes[..self.used].iter().map(|stripe| &**stripe)
    }
}

impl<R: RawLock, const N: usize> Default for Striped<R, N> {
    fn default() -> Self {
        Self::new()
    }
}
