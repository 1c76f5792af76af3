//! The holder's right to the data of a mutex.

use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::{Deref, DerefMut};

use super::{MappedMutexGuard, Mutex};

/// Gives the thread that holds a [`Mutex`] access to the data. Dropping the guard releases the mutex.
///
/// It is not `Send`, like the guards of std and parking_lot. A guard of `lock_api::Mutex<tollgate::RawMutex, T>` is `Send`,
/// because any thread may release the lock on the holder's behalf.
///
/// ```
/// let mutex = tollgate::Mutex::new(String::new());
/// let mut guard = mutex.lock();
/// guard.push('a');
/// assert_eq!(guard.len(), 1);
/// ```
#[must_use = "the mutex is released at once if the guard is not kept"]
pub struct MutexGuard<'a, T: ?Sized> {
    pub(crate) mutex: &'a Mutex<T>,
    not_send: PhantomData<*const ()>,
}

// SAFETY: a shared guard gives only shared access to the data.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    /// # Safety
    /// The calling thread has acquired the mutex, and has no other guard of it.
    #[inline]
    pub(crate) unsafe fn of_holder(mutex: &'a Mutex<T>) -> Self {
        Self {
            mutex,
            not_send: PhantomData,
        }
    }

    /// Releases the mutex. If a thread sleeps, the mutex is handed over to the thread that has slept longest.
    ///
    /// After an ordinary drop, a thread that arrives at that moment may overtake the sleeper. A hand-over costs one wake-up,
    /// during which no thread holds the mutex and runs. Use it in a thread that acquires the mutex again and again and holds it
    /// for long.
    ///
    /// ```
    /// use tollgate::MutexGuard;
    ///
    /// let mutex = tollgate::Mutex::new(0);
    /// let guard = mutex.lock();
    /// MutexGuard::unlock_fair(guard);
    /// ```
    pub fn unlock_fair(guard: Self) {
        let guard = ManuallyDrop::new(guard);
        // SAFETY: D1: held, and the guard is not used again.
        unsafe { guard.mutex.raw.unlock_fair() };
    }

    /// Hands the mutex over to the thread that has slept longest, and acquires it again. Does nothing if no thread sleeps.
    ///
    /// ```
    /// use tollgate::MutexGuard;
    ///
    /// let mutex = tollgate::Mutex::new(0);
    /// let mut guard = mutex.lock();
    /// for _ in 0..100 {
    ///     *guard += 1;
    ///     MutexGuard::bump(&mut guard);
    /// }
    /// ```
    pub fn bump(guard: &mut Self) {
        if guard.mutex.raw.has_sleepers() {
            // SAFETY: D1: held, and acquired again before the guard is used.
            unsafe { guard.mutex.raw.unlock_fair() };
            guard.mutex.raw.lock();
        }
    }

    /// Calls a function without the mutex, and acquires it again, also if the function panics.
    ///
    /// ```
    /// use tollgate::MutexGuard;
    ///
    /// let mutex = tollgate::Mutex::new(0);
    /// let mut guard = mutex.lock();
    /// MutexGuard::unlocked(&mut guard, || assert!(!mutex.is_locked()));
    /// assert!(mutex.is_locked());
    /// ```
    pub fn unlocked<R>(guard: &mut Self, f: impl FnOnce() -> R) -> R {
        struct Again<'a>(&'a crate::RawMutex);
        impl Drop for Again<'_> {
            fn drop(&mut self) {
                self.0.lock();
            }
        }
        let raw = &guard.mutex.raw;
        // SAFETY: D1: held; the guard is borrowed until `Again` has acquired it again.
        unsafe { raw.unlock() };
        let _again = Again(raw);
        f()
    }

    /// Returns a guard of a part of the data.
    ///
    /// ```
    /// use tollgate::MutexGuard;
    ///
    /// let mutex = tollgate::Mutex::new((1, 2));
    /// let mut second = MutexGuard::map(mutex.lock(), |pair| &mut pair.1);
    /// *second = 3;
    /// drop(second);
    /// assert_eq!(mutex.into_inner(), (1, 3));
    /// ```
    pub fn map<U: ?Sized>(
        mut guard: Self,
        part: impl FnOnce(&mut T) -> &mut U,
    ) -> MappedMutexGuard<'a, U> {
        let part = core::ptr::from_mut(part(&mut guard));
        let guard = ManuallyDrop::new(guard);
        // SAFETY: the calling thread holds the mutex, the data live as long as `'a`, and the whole guard is not used again.
        unsafe { MappedMutexGuard::of_holder(&guard.mutex.raw, part) }
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: D1: held.
        unsafe { self.mutex.raw.unlock() };
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: D1.
        unsafe { &*self.mutex.data.get() }
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: D1.
        unsafe { &mut *self.mutex.data.get() }
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
