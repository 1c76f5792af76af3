//! The mutex around the data that it protects.

mod guard;
mod mapped;

use core::cell::UnsafeCell;
use core::fmt;
use core::time::Duration;
#[cfg(feature = "std")]
use std::time::Instant;

use crate::RawMutex;
pub use guard::MutexGuard;
pub use mapped::MappedMutexGuard;

/// A mutex and the data that it protects. It takes 16 bytes plus the data, rounded up to the alignment of at least 8 bytes.
///
/// It has no poisoning: if a thread panics while it holds the mutex, the mutex is released. [`poisoning::Mutex`] is the same
/// mutex with the interface of `std::sync::Mutex`.
///
/// After a fork(2), the waiters do not exist in the child: it calls `mutex.raw().after_fork_in_child()` before it uses the mutex.
///
/// ```
/// use tollgate::Mutex;
///
/// let names = Mutex::new(vec!["a"]);
/// names.lock().push("b");
/// assert_eq!(names.into_inner(), ["a", "b"]);
/// ```
///
/// [`poisoning::Mutex`]: crate::poisoning::Mutex
// Invariant:
//
// - **D1** `data` is touched by the holder of `raw`, or by a caller that has the mutex to itself (`&mut self`, `self`). A guard
//   exists only while its thread is the holder.
pub struct Mutex<T: ?Sized> {
    pub(crate) raw: RawMutex,
    pub(crate) data: UnsafeCell<T>,
}

// SAFETY: D1: the data are with one thread at a time, so they only have to be such that they can go from thread to thread.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}

impl<T> Mutex<T> {
    /// Creates a free mutex around `data`.
    ///
    /// ```
    /// static LAST: tollgate::Mutex<Option<u32>> = tollgate::Mutex::new(None);
    /// ```
    pub const fn new(data: T) -> Self {
        Self {
            raw: RawMutex::new(),
            data: UnsafeCell::new(data),
        }
    }

    /// Returns the data. No acquisition is needed: `self` proves that no other thread uses the mutex.
    ///
    /// ```
    /// assert_eq!(tollgate::Mutex::new(5).into_inner(), 5);
    /// ```
    pub fn into_inner(self) -> T {
        self.data.into_inner()
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits until the mutex is acquired. It is released when the guard is dropped.
    ///
    /// A thread that already holds the mutex waits for ever.
    ///
    /// ```
    /// let mutex = tollgate::Mutex::new(1);
    /// *mutex.lock() += 1;
    /// assert_eq!(*mutex.lock(), 2);
    /// ```
    #[inline]
    pub fn lock(&self) -> MutexGuard<'_, T> {
        self.raw.lock();
        // SAFETY: acquired.
        unsafe { MutexGuard::of_holder(self) }
    }

    /// Acquires the mutex if this needs no waiting.
    ///
    /// ```
    /// let mutex = tollgate::Mutex::new(());
    /// let held = mutex.lock();
    /// assert!(mutex.try_lock().is_none());
    /// drop(held);
    /// assert!(mutex.try_lock().is_some());
    /// ```
    #[inline]
    #[must_use = "the mutex is released at once if the guard is not kept"]
    pub fn try_lock(&self) -> Option<MutexGuard<'_, T>> {
        // SAFETY: acquired.
        (self.raw.try_lock()).then(|| unsafe { MutexGuard::of_holder(self) })
    }

    /// Waits for the mutex for at most `timeout`. Returns `None` if the time is over first. On Linux the wait ends about 50 us
    /// late. On Windows it ends at a tick of the timer, which comes every 0.5 to 15.6 ms.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// let mutex = tollgate::Mutex::new(());
    /// let held = mutex.lock();
    /// assert!(mutex.try_lock_for(Duration::from_millis(1)).is_none());
    /// ```
    #[must_use = "the mutex is released at once if the guard is not kept"]
    pub fn try_lock_for(&self, timeout: Duration) -> Option<MutexGuard<'_, T>> {
        // SAFETY: acquired.
        (self.raw.try_lock_for(timeout)).then(|| unsafe { MutexGuard::of_holder(self) })
    }

    /// Waits for the mutex until `deadline` at most. Returns `None` if that comes first. A free mutex is acquired even after the
    /// deadline.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// let mutex = tollgate::Mutex::new(());
    /// let held = mutex.lock();
    /// let soon = Instant::now() + Duration::from_millis(1);
    /// assert!(mutex.try_lock_until(soon).is_none());
    /// ```
    #[cfg(feature = "std")]
    #[must_use = "the mutex is released at once if the guard is not kept"]
    pub fn try_lock_until(&self, deadline: Instant) -> Option<MutexGuard<'_, T>> {
        // SAFETY: acquired.
        (self.raw.try_lock_until(deadline)).then(|| unsafe { MutexGuard::of_holder(self) })
    }

    /// Returns a reference to the data. No acquisition is needed: `&mut self` proves that no other thread uses the mutex.
    ///
    /// ```
    /// let mut mutex = tollgate::Mutex::new(1);
    /// *mutex.get_mut() = 2;
    /// assert_eq!(*mutex.lock(), 2);
    /// ```
    pub fn get_mut(&mut self) -> &mut T {
        self.data.get_mut()
    }

    /// Whether a thread held the mutex a moment ago.
    ///
    /// ```
    /// let mutex = tollgate::Mutex::new(());
    /// assert!(!mutex.is_locked());
    /// ```
    pub fn is_locked(&self) -> bool {
        self.raw.is_locked()
    }

    /// Returns the lock without the data.
    ///
    /// ```
    /// let mutex = tollgate::Mutex::new(1);
    /// std::mem::forget(mutex.lock());
    /// // SAFETY: the guard is forgotten, so this thread still holds the mutex.
    /// unsafe { mutex.raw().unlock() };
    /// assert_eq!(*mutex.lock(), 1);
    /// ```
    pub fn raw(&self) -> &RawMutex {
        &self.raw
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T> From<T> for Mutex<T> {
    fn from(data: T) -> Self {
        Self::new(data)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Mutex");
        match self.try_lock() {
            Some(guard) => shown.field("data", &&*guard),
            None => shown.field("data", &format_args!("<locked>")),
        };
        shown.finish()
    }
}
