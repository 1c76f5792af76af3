//! The holder's right to a part of the data of a mutex.

use core::fmt;
use core::marker::PhantomData;
use core::mem::ManuallyDrop;
use core::ops::{Deref, DerefMut};

use crate::RawMutex;

/// Gives the thread that holds a [`Mutex`](crate::Mutex) access to a part of the data: [`MutexGuard::map`] makes it. Dropping
/// the guard releases the mutex.
///
/// ```
/// use tollgate::{MappedMutexGuard, Mutex, MutexGuard};
///
/// fn first(list: &Mutex<Vec<u32>>) -> MappedMutexGuard<'_, u32> {
///     MutexGuard::map(list.lock(), |list| &mut list[0])
/// }
/// let list = Mutex::new(vec![1, 2]);
/// *first(&list) += 10;
/// assert_eq!(list.into_inner(), [11, 2]);
/// ```
///
/// [`MutexGuard::map`]: crate::MutexGuard::map
// Invariant:
//
// - **P1** `part` is a part of the data of the mutex of `raw`, which the thread that has the guard holds, and is reached through
//   this guard only.
#[must_use = "the mutex is released at once if the guard is not kept"]
pub struct MappedMutexGuard<'a, T: ?Sized> {
    raw: &'a RawMutex,
    part: *mut T,
    exclusive: PhantomData<&'a mut T>,
}

// SAFETY: a shared guard gives only shared access to the data.
unsafe impl<T: ?Sized + Sync> Sync for MappedMutexGuard<'_, T> {}

impl<'a, T: ?Sized> MappedMutexGuard<'a, T> {
    /// # Safety
    /// P1 holds.
    pub(crate) unsafe fn of_holder(raw: &'a RawMutex, part: *mut T) -> Self {
        Self {
            raw,
            part,
            exclusive: PhantomData,
        }
    }

    /// Returns a guard of a part of this part.
    ///
    /// ```
    /// use tollgate::{MappedMutexGuard, Mutex, MutexGuard};
    ///
    /// let mutex = Mutex::new(((1, 2), 3));
    /// let pair = MutexGuard::map(mutex.lock(), |all| &mut all.0);
    /// let one = MappedMutexGuard::map(pair, |pair| &mut pair.0);
    /// assert_eq!(*one, 1);
    /// ```
    pub fn map<U: ?Sized>(
        mut guard: Self,
        part: impl FnOnce(&mut T) -> &mut U,
    ) -> MappedMutexGuard<'a, U> {
        let part = core::ptr::from_mut(part(&mut guard));
        let guard = ManuallyDrop::new(guard);
        // SAFETY: P1, and the larger guard is not used again.
        unsafe { MappedMutexGuard::of_holder(guard.raw, part) }
    }
}

impl<T: ?Sized> Drop for MappedMutexGuard<'_, T> {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: P1: held.
        unsafe { self.raw.unlock() };
    }
}

impl<T: ?Sized> Deref for MappedMutexGuard<'_, T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        // SAFETY: P1.
        unsafe { &*self.part }
    }
}

impl<T: ?Sized> DerefMut for MappedMutexGuard<'_, T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: P1.
        unsafe { &mut *self.part }
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MappedMutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MappedMutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
