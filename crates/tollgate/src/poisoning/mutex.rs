//! The mutex with poisoning.

use core::fmt;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};

use super::MutexGuard;

/// A mutex with the interface of `std::sync::Mutex`. It takes 8 bytes more than [`crate::Mutex`].
///
/// ```
/// use tollgate::poisoning::Mutex;
///
/// let names = Mutex::new(vec!["a"]);
/// names.lock().unwrap().push("b");
/// assert_eq!(names.into_inner().unwrap(), ["a", "b"]);
/// ```
pub struct Mutex<T: ?Sized> {
    pub(super) poisoned: AtomicBool,
    pub(super) inner: crate::Mutex<T>,
}

// The data of a thread that panicked are found again only by a caller to which the panic is reported.
impl<T: ?Sized> UnwindSafe for Mutex<T> {}
impl<T: ?Sized> RefUnwindSafe for Mutex<T> {}

impl<T> Mutex<T> {
    /// Creates a free mutex around `data`.
    ///
    /// ```
    /// static LAST: tollgate::poisoning::Mutex<u32> = tollgate::poisoning::Mutex::new(0);
    /// ```
    pub const fn new(data: T) -> Self {
        Self {
            poisoned: AtomicBool::new(false),
            inner: crate::Mutex::new(data),
        }
    }

    /// Returns the data.
    ///
    /// # Errors
    /// The mutex is poisoned. The error contains the data.
    ///
    /// ```
    /// assert_eq!(tollgate::poisoning::Mutex::new(5).into_inner().unwrap(), 5);
    /// ```
    pub fn into_inner(self) -> LockResult<T> {
        let poisoned = self.is_poisoned();
        ok_unless(poisoned, self.inner.into_inner())
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits until the mutex is acquired. It is released when the guard is dropped. A thread that already holds the mutex waits
    /// for ever.
    ///
    /// # Errors
    /// The mutex is poisoned. It is acquired, and the error contains the guard.
    ///
    /// ```
    /// let mutex = tollgate::poisoning::Mutex::new(1);
    /// *mutex.lock().unwrap() += 1;
    /// assert_eq!(*mutex.lock().unwrap(), 2);
    /// ```
    #[inline]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        let guard = MutexGuard::new(self, self.inner.lock());
        ok_unless(self.is_poisoned(), guard)
    }

    /// Acquires the mutex if this needs no waiting.
    ///
    /// # Errors
    /// `WouldBlock` if a thread holds the mutex. `Poisoned` if the mutex is poisoned; it is then acquired, and the error contains
    /// the guard.
    ///
    /// ```
    /// use std::sync::TryLockError;
    ///
    /// let mutex = tollgate::poisoning::Mutex::new(());
    /// let held = mutex.lock();
    /// assert!(matches!(mutex.try_lock(), Err(TryLockError::WouldBlock)));
    /// ```
    #[inline]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        let guard = self.inner.try_lock().ok_or(TryLockError::WouldBlock)?;
        let guard = MutexGuard::new(self, guard);
        ok_unless(self.is_poisoned(), guard).map_err(TryLockError::Poisoned)
    }

    /// Whether a thread has panicked while it held the mutex, and `clear_poison` has not been called since.
    ///
    /// ```
    /// use std::{sync::Arc, thread};
    /// use tollgate::poisoning::Mutex;
    ///
    /// let mutex = Arc::new(Mutex::new(()));
    /// let theirs = Arc::clone(&mutex);
    /// let _ = thread::spawn(move || {
    ///     let _held = theirs.lock();
    ///     panic!("in the middle");
    /// })
    /// .join();
    /// assert!(mutex.is_poisoned());
    /// ```
    #[inline]
    pub fn is_poisoned(&self) -> bool {
        // Relaxed: the mutex orders it with the data; without the mutex it is a snapshot.
        self.poisoned.load(Ordering::Relaxed)
    }

    /// Clears the poison. Acquisitions succeed until a holder panics again.
    ///
    /// ```
    /// let mutex = tollgate::poisoning::Mutex::new(());
    /// mutex.clear_poison();
    /// assert!(!mutex.is_poisoned());
    /// ```
    pub fn clear_poison(&self) {
        // Relaxed: as in `is_poisoned`.
        self.poisoned.store(false, Ordering::Relaxed);
    }

    /// Returns a reference to the data.
    ///
    /// # Errors
    /// The mutex is poisoned. The error contains the reference.
    ///
    /// ```
    /// let mut mutex = tollgate::poisoning::Mutex::new(1);
    /// *mutex.get_mut().unwrap() = 2;
    /// assert_eq!(*mutex.lock().unwrap(), 2);
    /// ```
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let poisoned = self.is_poisoned();
        ok_unless(poisoned, self.inner.get_mut())
    }
}

/// The result of an acquisition.
pub(super) fn ok_unless<T>(poisoned: bool, value: T) -> LockResult<T> {
    if poisoned {
        Err(PoisonError::new(value))
    } else {
        Ok(value)
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
        match self.inner.try_lock() {
            Some(guard) => shown.field("data", &&*guard),
            None => shown.field("data", &format_args!("<locked>")),
        };
        shown
            .field("poisoned", &self.is_poisoned())
            .finish_non_exhaustive()
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}
