//! A reader-writer lock that parks, gives up at a deadline, and prefers readers or writers, as chosen.
//!
//! The state word:
//!
//! | bits | meaning |
//! |---|---|
//! | 0..32 | readers: inside, or, if readers are preferred, waiting for the writer inside |
//! | 32..56 | waiting writers, if writers are preferred |
//! | 61 `WRITERS_PARKED` | writers may sleep on `writer_calls` |
//! | 62 `READERS_PARKED` | readers may sleep on `reader_calls` |
//! | 63 `WRITER` | a writer is inside |
//!
//! If readers are preferred, a reader counts itself at once. If a writer is inside, the reader waits until it leaves, and the
//! step with which the writer leaves also lets the reader in: no other writer comes in between. If writers are preferred, a
//! reader stays outside, uncounted, while a writer is inside or waits.
//!
//! # Invariants
//!
//! - **I1** `WRITER` is set only while no reader is counted. So the readers that are counted while it is set have arrived
//!   since, and wait; those that are counted while it is clear are inside.
//! - **I2** A thread that is about to sleep reads the count of calls, then sets its mark in a state that shuts it out, then
//!   sleeps if the count is unchanged. A thread that is about to make a state that lets it in first removes the mark, then
//!   counts a call, then makes that state if no mark has been set again, and then wakes all readers, or one writer. So a
//!   sleeper that has read the count before the call does not sleep, or is woken; and one that has read it after the call has
//!   set its mark after the removal, and is found.
//! - **I3** A writer that has slept takes the lock with `WRITERS_PARKED` set, and sets it when it gives up, since others may
//!   still sleep. The mark may be set without a sleeper (one needless call), never clear with one.
//! - **I4** `READERS_PARKED` is set only while readers are shut out.
//! - **I5** The exchange with which a holder leaves is its last access to the lock's memory; after it, the holder uses only
//!   addresses to wake. So the next holder may free the memory.
//!
//! Source: P. J. Courtois, F. Heymans, D. L. Parnas, "Concurrent Control with 'Readers' and 'Writers'", CACM 14(10), 1971, both
//! problems. The idea that the writer's own step admits waiting readers is from B. B. Brandenburg, J. H. Anderson, "Spin-Based
//! Reader-Writer Synchronization for Multiprocessor Real-Time Systems", Real-Time Systems 46(1), 2010.

mod leave;
mod state;
mod wait;

use state::{WRITER, is_free, may_count};

use crate::park::Futex;
use crate::sync::{AtomicU64, Lifetime, Ordering, const_fn};
use crate::{Deadline, Waiting};

/// Whether readers or writers go first when both wait.
///
/// ```
/// use locktoll_locks::{Preference, RwPark};
/// // Read all the time and changed rarely: waiting writers keep new readers out, so that a change gets in.
/// static ROUTES: RwPark = RwPark::with(Preference::Writers, RwPark::DEFAULT_WAITING);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Preference {
    /// Readers go in even if writers wait. A thread may read again while it reads. Writers wait as long as readers overlap.
    Readers,
    /// Readers stay out while writers wait. A thread must not read again before it has left. Readers wait as long as writers
    /// keep coming.
    Writers,
}

/// The reason why a reader-writer lock was not acquired.
///
/// ```
/// use locktoll_locks::{Deadline, NotAcquired, RwPark};
/// let (lock, deadline) = (RwPark::new(), Deadline::after_ns(1_000));
/// assert_eq!(lock.lock_exclusive_until(None), Ok(()));
/// assert_eq!(lock.lock_shared_until(Some(&deadline)), Err(NotAcquired::TimedOut));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotAcquired {
    /// An attempt would have had to wait.
    Held,
    /// The deadline has passed.
    TimedOut,
    /// [`RwPark::MOST_READERS`] are already counted.
    TooManyReaders,
}

/// A reader-writer lock that parks, with deadlines and a choice of preference.
///
/// ```
/// use locktoll_locks::{Preference, RwLock, RwPark, Waiting};
/// let raw = RwPark::with(Preference::Writers, Waiting { spin: 100, yields: 0 });
/// let table = RwLock::<RwPark, _>::from_raw(raw, vec![1]);
/// table.write().push(2);
/// assert_eq!(*table.read(), [1, 2]);
/// ```
#[derive(Debug)]
#[repr(C)]
pub struct RwPark {
    state: AtomicU64,
    reader_calls: Futex,
    writer_calls: Futex,
    // A `Waiting` as two fields, which leaves no gap: the lock has 24 bytes.
    spin: u32,
    yields: u16,
    preference: Preference,
    lifetime: Lifetime,
}

impl RwPark {
    /// The default way of waiting: threads spin for about 2.5 us, then park.
    pub const DEFAULT_WAITING: Waiting = Waiting {
        spin: 100,
        yields: 0,
    };

    /// The number of readers that are let in at once. The count has room for those that are turned back.
    pub const MOST_READERS: u32 = (1 << 28) - 1;

    const_fn! {
        /// Creates a free lock that prefers readers.
        ///
        /// ```
        /// use locktoll_locks::{RwLock, RwPark};
        /// static TABLE: RwLock<RwPark, u32> = RwLock::from_raw(RwPark::new(), 5);
        /// ```
        pub fn new() -> Self {
            Self::with(Preference::Readers, Self::DEFAULT_WAITING)
        }

        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{Preference, RwPark, Waiting};
        /// // Threads that have to wait spin for about 1 us, yield the processor once, spin again, and then sleep.
        /// let lock = RwPark::with(Preference::Readers, Waiting { spin: 40, yields: 1 });
        /// ```
        pub fn with(preference: Preference, waiting: Waiting) -> Self {
            Self {
                state: AtomicU64::new(0),
                reader_calls: Futex::new(0),
                writer_calls: Futex::new(0),
                spin: waiting.spin,
                yields: waiting.yields,
                preference,
                lifetime: Lifetime::new(),
            }
        }
    }

    /// Acquires the lock for reading, waiting until the deadline if there is one.
    ///
    /// ```
    /// let lock = locktoll_locks::RwPark::new();
    /// assert!(lock.lock_shared_until(None).is_ok() && lock.lock_shared_until(None).is_ok());
    /// ```
    ///
    /// # Errors
    /// [`NotAcquired::TimedOut`], [`NotAcquired::TooManyReaders`].
    #[inline]
    pub fn lock_shared_until(&self, deadline: Option<&Deadline>) -> Result<(), NotAcquired> {
        match self.preference {
            Preference::Readers => {
                // Acquire: pairs with the release of the previous writer (I1).
                let before = self.state().fetch_add(1, Ordering::Acquire);
                if before & WRITER == 0 && may_count(before) {
                    return Ok(());
                }
                self.wait_counted(before, deadline)
            }
            Preference::Writers => match self.try_lock_shared_or_why() {
                Err(NotAcquired::Held) => self.wait_uncounted(deadline),
                otherwise => otherwise,
            },
        }
    }

    /// Acquires the lock for reading if this needs no waiting.
    ///
    /// ```
    /// let lock = locktoll_locks::RwPark::new();
    /// assert_eq!(lock.lock_exclusive_until(None), Ok(()));
    /// assert_eq!(lock.try_lock_shared_or_why(), Err(locktoll_locks::NotAcquired::Held));
    /// ```
    ///
    /// # Errors
    /// [`NotAcquired::Held`], [`NotAcquired::TooManyReaders`].
    #[inline]
    pub fn try_lock_shared_or_why(&self) -> Result<(), NotAcquired> {
        // Relaxed: a hint for the exchange.
        let mut state = self.state().load(Ordering::Relaxed);
        while !self.shuts_readers_out(state) {
            if !may_count(state) {
                return Err(NotAcquired::TooManyReaders);
            }
            // Acquire: pairs with the release of the previous writer (I1).
            match self.exchange(state, state + 1, Ordering::Acquire) {
                Ok(()) => return Ok(()),
                Err(now) => state = now,
            }
        }
        Err(NotAcquired::Held)
    }

    /// Acquires the lock for writing, waiting until the deadline if there is one.
    ///
    /// ```
    /// let lock = locktoll_locks::RwPark::new();
    /// assert_eq!(lock.lock_exclusive_until(None), Ok(()));
    /// ```
    ///
    /// # Errors
    /// [`NotAcquired::TimedOut`].
    #[inline]
    pub fn lock_exclusive_until(&self, deadline: Option<&Deadline>) -> Result<(), NotAcquired> {
        // Acquire: pairs with the release of all previous holders.
        if self.exchange(0, WRITER, Ordering::Acquire).is_ok() {
            return Ok(());
        }
        self.wait_to_write(deadline)
    }

    /// Releases the present acquisition: the writer's if a writer is inside, otherwise a reader's. Returns `false` if no
    /// thread is inside.
    ///
    /// ```
    /// let lock = locktoll_locks::RwPark::new();
    /// // SAFETY: no thread has acquired it.
    /// assert!(!unsafe { lock.unlock() });
    /// ```
    ///
    /// # Safety
    /// The caller has acquired the lock, and gives it up by this call, or no thread has.
    #[inline]
    pub unsafe fn unlock(&self) -> bool {
        // Relaxed: whether readers or a writer are inside does not change while the caller is inside.
        let state = self.state().load(Ordering::Relaxed);
        if state & WRITER != 0 {
            self.leave(WRITER);
        } else if is_free(state) {
            return false;
        } else {
            self.leave(1);
        }
        true
    }

    /// Adapts the lock to a process that has just been forked, where none of the waiting threads exist: it stays held
    /// or free, but without waiters. Readers of the parent stay counted. No other thread may be in a call on the lock.
    ///
    /// ```
    /// let lock = locktoll_locks::RwPark::new();
    /// lock.adopt(); // In the child of a fork, before the lock is used there.
    /// ```
    pub fn adopt(&self) {
        // Relaxed, both: there is no other thread.
        let state = self.state().load(Ordering::Relaxed);
        self.state().store(state::adopted(state), Ordering::Relaxed);
    }

    /// Tells the model that the lock's memory is freed here.
    #[cfg(locktoll_loom)]
    pub fn end(&self) {
        self.lifetime.end();
    }

    #[inline]
    #[cfg_attr(locktoll_loom, track_caller)]
    fn state(&self) -> &AtomicU64 {
        self.lifetime.touch();
        &self.state
    }

    fn waiting(&self) -> Waiting {
        Waiting {
            spin: self.spin,
            yields: self.yields,
        }
    }

    /// Exchanges the state once. `Err` is the present state.
    #[inline]
    #[cfg_attr(locktoll_loom, track_caller)]
    fn exchange(&self, from: u64, to: u64, success: Ordering) -> Result<(), u64> {
        // Relaxed on failure: nothing acquired, the caller checks again.
        self.state()
            .compare_exchange(from, to, success, Ordering::Relaxed)
            .map(drop)
    }

    /// Whether a reader that arrives now has to wait.
    #[inline]
    fn shuts_readers_out(&self, state: u64) -> bool {
        state & state::shutting(self.preference) != 0
    }
}

// SAFETY: exclusion by I1; the orderings pass on what the holders did.
unsafe impl crate::RawRw for RwPark {
    fn new() -> Self {
        Self::new()
    }

    /// # Panics
    /// If [`RwPark::MOST_READERS`] are inside.
    #[inline]
    fn lock_shared(&self) {
        let acquired = self.lock_shared_until(None);
        assert!(acquired.is_ok(), "too many readers");
    }

    /// # Panics
    /// As in `lock_shared`.
    #[inline]
    fn try_lock_shared(&self) -> bool {
        let acquired = self.try_lock_shared_or_why();
        assert!(
            acquired != Err(NotAcquired::TooManyReaders),
            "too many readers"
        );
        acquired.is_ok()
    }

    #[inline]
    unsafe fn unlock_shared(&self) {
        self.leave(1);
    }

    #[inline]
    fn lock_exclusive(&self) {
        // Without a deadline it cannot fail.
        let _ = self.lock_exclusive_until(None);
    }

    #[inline]
    fn try_lock_exclusive(&self) -> bool {
        // Relaxed: a hint for the exchange.
        let mut state = self.state().load(Ordering::Relaxed);
        while is_free(state) {
            // Acquire: pairs with the release of all previous holders.
            match self.exchange(state, state | WRITER, Ordering::Acquire) {
                Ok(()) => return true,
                Err(now) => state = now,
            }
        }
        false
    }

    #[inline]
    unsafe fn unlock_exclusive(&self) {
        self.leave(WRITER);
    }

    #[inline]
    fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        !is_free(self.state().load(Ordering::Relaxed))
    }

    #[inline]
    fn is_locked_exclusive(&self) -> bool {
        // Relaxed: as above.
        self.state().load(Ordering::Relaxed) & WRITER != 0
    }
}

crate::raw_rw::impl_raw_rwlock!(RwPark);

#[cfg(all(test, not(locktoll_loom)))]
mod tests {
    use super::*;

    #[test]
    fn one_reader_too_many_is_turned_back() {
        for preference in [Preference::Readers, Preference::Writers] {
            let lock = RwPark::with(preference, Waiting::PARK_AT_ONCE);
            let most = u64::from(RwPark::MOST_READERS);
            lock.state.store(most - 1, Ordering::Relaxed);
            assert_eq!(lock.try_lock_shared_or_why(), Ok(()));
            assert_eq!(
                lock.try_lock_shared_or_why(),
                Err(NotAcquired::TooManyReaders)
            );
            assert_eq!(
                lock.lock_shared_until(None),
                Err(NotAcquired::TooManyReaders)
            );
            assert_eq!(lock.state.load(Ordering::Relaxed), most);
        }
    }

    #[test]
    fn a_child_goes_on_without_those_who_waited() {
        let lock = RwPark::new();
        lock.lock_exclusive_until(None).unwrap();
        // Two readers and a writer from the parent.
        lock.state
            .fetch_add(2 | state::READERS_PARKED, Ordering::Relaxed);
        lock.state
            .fetch_add(state::WRITERS_PARKED, Ordering::Relaxed);
        lock.adopt();
        assert_eq!(lock.try_lock_shared_or_why(), Err(NotAcquired::Held));
        // SAFETY: locked above.
        assert!(unsafe { lock.unlock() });
        assert_eq!(lock.lock_exclusive_until(None), Ok(()));
    }
}
