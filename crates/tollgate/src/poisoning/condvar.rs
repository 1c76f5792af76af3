//! The condition variable of the mutex with poisoning.

use core::time::Duration;
use std::sync::LockResult;

use locktoll_waiting::{Deadline, DeadlineClock};

use super::mutex::ok_unless;
use super::{MutexGuard, WaitTimeoutResult};

/// A condition variable with the interface of `std::sync::Condvar`. See [`crate::Condvar`].
///
/// ```
/// use std::thread;
/// use tollgate::poisoning::{Condvar, Mutex};
///
/// static READY: Mutex<bool> = Mutex::new(false);
/// static CHANGED: Condvar = Condvar::new();
///
/// thread::scope(|scope| {
///     scope.spawn(|| {
///         *READY.lock().unwrap() = true;
///         CHANGED.notify_one();
///     });
///     let mut ready = READY.lock().unwrap();
///     while !*ready {
///         ready = CHANGED.wait(ready).unwrap();
///     }
/// });
/// ```
#[derive(Debug, Default)]
pub struct Condvar {
    inner: crate::Condvar,
}

impl Condvar {
    /// Creates a condition variable without waiters.
    ///
    /// ```
    /// static CHANGED: tollgate::poisoning::Condvar = tollgate::poisoning::Condvar::new();
    /// ```
    pub const fn new() -> Self {
        Self {
            inner: crate::Condvar::new(),
        }
    }

    /// Releases the mutex, waits for a notification, and acquires the mutex again.
    ///
    /// # Errors
    /// The mutex is poisoned. It is acquired, and the error contains the guard.
    ///
    /// ```
    /// use std::thread;
    /// use tollgate::poisoning::{Condvar, Mutex};
    ///
    /// let (ready, changed) = (Mutex::new(false), Condvar::new());
    /// thread::scope(|scope| {
    ///     scope.spawn(|| {
    ///         *ready.lock().unwrap() = true;
    ///         changed.notify_all();
    ///     });
    ///     let mut ready = ready.lock().unwrap();
    ///     while !*ready {
    ///         ready = changed.wait(ready).unwrap();
    ///     }
    /// });
    /// ```
    pub fn wait<'a, T: ?Sized>(
        &self,
        mut guard: MutexGuard<'a, T>,
    ) -> LockResult<MutexGuard<'a, T>> {
        self.inner.wait(&mut guard.inner);
        ok_unless(guard.mutex.is_poisoned(), guard)
    }

    /// Waits as long as `condition` returns `true`.
    ///
    /// # Errors
    /// As for [`wait`](Self::wait).
    ///
    /// ```
    /// use tollgate::poisoning::{Condvar, Mutex};
    ///
    /// let mutex = Mutex::new(3);
    /// let guard = Condvar::new().wait_while(mutex.lock().unwrap(), |count| *count == 0).unwrap();
    /// assert_eq!(*guard, 3);
    /// ```
    pub fn wait_while<'a, T: ?Sized>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> LockResult<MutexGuard<'a, T>> {
        while condition(&mut guard) {
            guard = self.wait(guard)?;
        }
        Ok(guard)
    }

    /// Does the same as [`wait`](Self::wait), but waits at most for `timeout`, which bounds the wait for the notification.
    ///
    /// # Errors
    /// As for [`wait`](Self::wait); the error contains the result, too.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tollgate::poisoning::{Condvar, Mutex};
    ///
    /// let mutex = Mutex::new(());
    /// let length = Duration::from_millis(1);
    /// let (_guard, result) = Condvar::new().wait_timeout(mutex.lock().unwrap(), length).unwrap();
    /// assert!(result.timed_out());
    /// ```
    pub fn wait_timeout<'a, T: ?Sized>(
        &self,
        mut guard: MutexGuard<'a, T>,
        timeout: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let result = self.inner.wait_timeout(&mut guard.inner, timeout);
        ok_unless(guard.mutex.is_poisoned(), (guard, result))
    }

    /// Waits as long as `condition` returns `true`, but at most for `timeout`.
    ///
    /// # Errors
    /// As for [`wait_timeout`](Self::wait_timeout).
    ///
    /// ```
    /// use std::time::Duration;
    /// use tollgate::poisoning::{Condvar, Mutex};
    ///
    /// let mutex = Mutex::new(false);
    /// let length = Duration::from_millis(1);
    /// let (_guard, result) = Condvar::new()
    ///     .wait_timeout_while(mutex.lock().unwrap(), length, |ready| !*ready)
    ///     .unwrap();
    /// assert!(result.timed_out());
    /// ```
    pub fn wait_timeout_while<'a, T: ?Sized>(
        &self,
        mut guard: MutexGuard<'a, T>,
        timeout: Duration,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let deadline = Deadline::after(DeadlineClock::Monotonic, timeout);
        loop {
            if !condition(&mut guard) {
                return Ok((guard, WaitTimeoutResult(false)));
            }
            if deadline.has_passed() {
                return Ok((guard, WaitTimeoutResult(true)));
            }
            // As in the standard library, the data of a poisoned mutex are not shown to the condition.
            let left = Duration::from_nanos(deadline.remaining_ns());
            guard = self.wait_timeout(guard, left)?.0;
        }
    }

    /// Wakes the thread that has waited longest, if there is one.
    ///
    /// ```
    /// tollgate::poisoning::Condvar::new().notify_one();
    /// ```
    #[inline]
    pub fn notify_one(&self) {
        self.inner.notify_one();
    }

    /// Wakes all waiting threads, or moves them to the queue of their mutex if the mutex is held.
    ///
    /// ```
    /// tollgate::poisoning::Condvar::new().notify_all();
    /// ```
    #[inline]
    pub fn notify_all(&self) {
        self.inner.notify_all();
    }
}
