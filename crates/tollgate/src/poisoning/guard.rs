//! The holder's right to the data of a mutex with poisoning.

use core::fmt;
use core::ops::{Deref, DerefMut};
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::sync::atomic::Ordering;
use std::thread;

use super::Mutex;

/// Gives the thread that holds a [`Mutex`] access to the data. Dropping the guard releases the mutex, and poisons it if the
/// thread has begun to panic since it acquired the mutex.
///
/// ```
/// let mutex = tollgate::poisoning::Mutex::new(String::new());
/// let mut guard = mutex.lock().unwrap();
/// guard.push('a');
/// assert_eq!(guard.len(), 1);
/// ```
#[must_use = "the mutex is released at once if the guard is not kept"]
pub struct MutexGuard<'a, T: ?Sized> {
    pub(super) mutex: &'a Mutex<T>,
    pub(super) inner: crate::MutexGuard<'a, T>,
    /// Whether the thread was panicking when it acquired the mutex.
    panicked_before: bool,
}

// A caller that finds the data after a panic is one to which the panic is reported.
impl<T: ?Sized> UnwindSafe for MutexGuard<'_, T> {}
impl<T: ?Sized> RefUnwindSafe for MutexGuard<'_, T> {}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    #[inline]
    pub(super) fn new(mutex: &'a Mutex<T>, inner: crate::MutexGuard<'a, T>) -> Self {
        Self {
            mutex,
            inner,
            panicked_before: thread::panicking(),
        }
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        if !self.panicked_before && thread::panicking() {
            // Relaxed: the mutex, which is still held, orders it with the data.
            self.mutex.poisoned.store(true, Ordering::Relaxed);
        }
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.inner
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.inner
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(f)
    }
}
