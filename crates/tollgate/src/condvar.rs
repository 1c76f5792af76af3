//! The condition variable of the mutex.

use core::fmt;
use core::panic::{RefUnwindSafe, UnwindSafe};
use core::time::Duration;
#[cfg(feature = "std")]
use std::time::Instant;

use locktoll_waiting::{Condition, Deadline, DeadlineClock};

use crate::{MutexGuard, RawMutex};

/// A condition variable: threads release a [`Mutex`](crate::Mutex), wait for a notification, and acquire it again. It takes 24
/// bytes on 64-bit systems.
///
/// There are no spurious wake-ups: a wait ends by a notification or at its deadline. Another thread may still change the data
/// before the waiter acquires the mutex again, so use [`wait_while`](Self::wait_while), or a loop. Threads are notified in the
/// order in which they began to wait.
///
/// A notification to all while a thread holds the mutex moves several waiters to the mutex's queue. If no other thread waits for
/// the mutex, the first is woken at once. Each of the others is woken when its turn comes. Threads may wait with different
/// mutexes, also at the same time; waiters are moved only if all wait with one mutex.
///
/// ```
/// use std::thread;
/// use tollgate::{Condvar, Mutex};
///
/// static READY: Mutex<bool> = Mutex::new(false);
/// static CHANGED: Condvar = Condvar::new();
///
/// thread::scope(|scope| {
///     scope.spawn(|| {
///         *READY.lock() = true;
///         CHANGED.notify_one();
///     });
///     let mut ready = READY.lock();
///     CHANGED.wait_while(&mut ready, |ready| !*ready);
///     assert!(*ready);
/// });
/// ```
pub struct Condvar {
    condition: Condition,
}

// A panic cannot leave it half changed: no code of the program runs while its queue is being changed.
impl UnwindSafe for Condvar {}
impl RefUnwindSafe for Condvar {}

/// Reports whether a timed wait on a [`Condvar`] ended by its timeout.
///
/// ```
/// use std::time::Duration;
/// use tollgate::{Condvar, Mutex};
///
/// let mutex = Mutex::new(());
/// let result = Condvar::new().wait_timeout(&mut mutex.lock(), Duration::from_millis(1));
/// assert!(result.timed_out());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitTimeoutResult(pub(crate) bool);

impl WaitTimeoutResult {
    /// Whether the time was over before a notification came.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tollgate::{Condvar, Mutex};
    ///
    /// let mutex = Mutex::new(());
    /// let result = Condvar::new().wait_timeout(&mut mutex.lock(), Duration::ZERO);
    /// assert!(result.timed_out());
    /// ```
    pub const fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    /// Creates a condition variable without waiters.
    ///
    /// ```
    /// static CHANGED: tollgate::Condvar = tollgate::Condvar::new();
    /// ```
    pub const fn new() -> Self {
        Self {
            condition: Condition::new(),
        }
    }

    /// Releases the mutex, waits for a notification, and acquires the mutex again. The data may have changed again by then, so
    /// use a loop.
    ///
    /// ```
    /// use std::thread;
    /// use tollgate::{Condvar, Mutex};
    ///
    /// let (ready, changed) = (Mutex::new(false), Condvar::new());
    /// thread::scope(|scope| {
    ///     scope.spawn(|| {
    ///         *ready.lock() = true;
    ///         changed.notify_all();
    ///     });
    ///     let mut ready = ready.lock();
    ///     while !*ready {
    ///         changed.wait(&mut ready);
    ///     }
    /// });
    /// ```
    pub fn wait<T: ?Sized>(&self, guard: &mut MutexGuard<'_, T>) {
        self.wait_raw(&guard.mutex.raw, None);
    }

    /// Waits as long as `condition` returns `true`.
    ///
    /// ```
    /// use std::thread;
    /// use tollgate::{Condvar, Mutex};
    ///
    /// let (queue, changed) = (Mutex::new(Vec::new()), Condvar::new());
    /// thread::scope(|scope| {
    ///     scope.spawn(|| {
    ///         queue.lock().push(7);
    ///         changed.notify_one();
    ///     });
    ///     let mut queue = queue.lock();
    ///     changed.wait_while(&mut queue, |queue| queue.is_empty());
    ///     assert_eq!(queue.pop(), Some(7));
    /// });
    /// ```
    pub fn wait_while<T: ?Sized>(
        &self,
        guard: &mut MutexGuard<'_, T>,
        mut condition: impl FnMut(&mut T) -> bool,
    ) {
        while condition(guard) {
            self.wait(guard);
        }
    }

    /// Does the same as [`wait`](Self::wait), but waits at most for `timeout`. It bounds the wait for the notification, not the
    /// acquisition of the mutex afterwards. A waiter that [`notify_all`](Self::notify_all) has moved to the mutex's queue counts
    /// as notified.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tollgate::{Condvar, Mutex};
    ///
    /// let (mutex, changed) = (Mutex::new(()), Condvar::new());
    /// let mut guard = mutex.lock();
    /// assert!(changed.wait_timeout(&mut guard, Duration::from_millis(1)).timed_out());
    /// ```
    pub fn wait_timeout<T: ?Sized>(
        &self,
        guard: &mut MutexGuard<'_, T>,
        timeout: Duration,
    ) -> WaitTimeoutResult {
        let deadline = Deadline::after(DeadlineClock::Monotonic, timeout);
        WaitTimeoutResult(!self.wait_raw(&guard.mutex.raw, Some(&deadline)))
    }

    /// Waits as long as `condition` returns `true`, but at most for `timeout`, in the sense of
    /// [`wait_timeout`](Self::wait_timeout). `timed_out` of the result is whether the condition was still true at the end.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tollgate::{Condvar, Mutex};
    ///
    /// let (mutex, changed) = (Mutex::new(false), Condvar::new());
    /// let mut guard = mutex.lock();
    /// let length = Duration::from_millis(1);
    /// assert!(changed.wait_timeout_while(&mut guard, length, |ready| !*ready).timed_out());
    /// ```
    pub fn wait_timeout_while<T: ?Sized>(
        &self,
        guard: &mut MutexGuard<'_, T>,
        timeout: Duration,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> WaitTimeoutResult {
        let deadline = Deadline::after(DeadlineClock::Monotonic, timeout);
        loop {
            if !condition(guard) {
                return WaitTimeoutResult(false);
            }
            if deadline.has_passed() {
                return WaitTimeoutResult(true);
            }
            self.wait_raw(&guard.mutex.raw, Some(&deadline));
        }
    }

    /// Does the same as [`wait_timeout`](Self::wait_timeout), with the end as a moment.
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    /// use tollgate::{Condvar, Mutex};
    ///
    /// let (mutex, changed) = (Mutex::new(()), Condvar::new());
    /// let soon = Instant::now() + Duration::from_millis(1);
    /// assert!(changed.wait_until(&mut mutex.lock(), soon).timed_out());
    /// ```
    #[cfg(feature = "std")]
    pub fn wait_until<T: ?Sized>(
        &self,
        guard: &mut MutexGuard<'_, T>,
        deadline: Instant,
    ) -> WaitTimeoutResult {
        self.wait_timeout(guard, deadline.saturating_duration_since(Instant::now()))
    }

    /// Wakes the thread that has waited longest, if there is one.
    ///
    /// ```
    /// tollgate::Condvar::new().notify_one();
    /// ```
    #[inline]
    pub fn notify_one(&self) {
        self.condition.signal();
    }

    /// Wakes all waiting threads, or moves them to the queue of their mutex if the mutex is held.
    ///
    /// ```
    /// tollgate::Condvar::new().notify_all();
    /// ```
    #[inline]
    pub fn notify_all(&self) {
        self.condition.broadcast();
    }

    /// Waits with a mutex that the caller holds. Returns `false` if the deadline came first.
    fn wait_raw(&self, raw: &RawMutex, deadline: Option<&Deadline>) -> bool {
        // SAFETY: the caller's guard shows that it holds the mutex, and all mutexes here are of one type.
        unsafe { self.condition.wait(raw, deadline) }
    }
}

impl Default for Condvar {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Condvar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condvar").finish_non_exhaustive()
    }
}
