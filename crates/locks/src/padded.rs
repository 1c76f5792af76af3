//! Keeps data that different processors write on different cache lines.

use core::ops::Deref;

/// A value that has its 128 bytes to itself.
///
/// 128, not 64: x86-64 processors fetch lines in pairs, and several aarch64 processors have lines of 128 bytes.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
/// use locktoll_locks::CachePadded;
///
/// // Each thread counts on its own cache lines, so that no count slows another one down.
/// static COUNTS: [CachePadded<AtomicU64>; 4] = [const { CachePadded::new(AtomicU64::new(0)) }; 4];
/// COUNTS[2].fetch_add(1, Relaxed);
/// assert_eq!(size_of_val(&COUNTS), 4 * 128);
/// ```
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct CachePadded<T>(T);

impl<T> CachePadded<T> {
    /// Pads `value`.
    ///
    /// ```
    /// use locktoll_locks::{CachePadded, RawLock, Ttas};
    ///
    /// let lock = CachePadded::new(Ttas::new());
    /// // Methods of the value can be called directly.
    /// assert!(lock.try_lock());
    /// ```
    pub const fn new(value: T) -> Self {
        Self(value)
    }
}

impl<T> Deref for CachePadded<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}
