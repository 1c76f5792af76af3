//! The sequence lock: readers take no lock at all, and read again if a writer came in between.
//!
//! Reading writes nothing to memory, so any number of readers run at full speed and cannot delay a writer. In exchange, a
//! reader may see a half-written state before it detects this, so the data must be atomics.
//!
//! | `sequence` | meaning |
//! |---|---|
//! | even | no thread writes |
//! | odd | a writer is at work |
//!
//! # Invariants
//!
//! - **I1** Only the holder of the writers' lock changes `sequence`: once to odd before the first
//!   write of data, once to the next even number after the last.
//! - **I2** A reader that reads any value from a writer also reads that writer's odd number, or a later one, at its end: the
//!   writer's release fence comes between its odd number and its data, the reader's acquire fence between its data and its
//!   second read of `sequence`.
//! - **I3** A reader that starts from an even number sees all data of the writer that left it
//!   (release and acquire on `sequence`). So equal even numbers before and after mean that no
//!   writer's data were mixed in.
//!
//! The number wraps after 2^31 writes; a reader that sleeps through exactly that many would not
//! notice.
//!
//! Source: the Linux kernel's seqlock (S. Hemminger, 2003, after A. Arcangeli); H.-J. Boehm, "Can
//! Seqlocks Get Along with Programming Language Memory Models?", MSPC 2012, for the fences.

use crate::RawLock;
use crate::backoff::SpinThenYield;
use crate::sync::{AtomicU32, Ordering, const_fn, fence};

/// The units of spinning before a reader that waits for a writer yields the processor.
const SPIN: u32 = 100;

/// A sequence lock whose writers exclude each other with the lock `R`.
///
/// ```
/// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
/// use locktoll_locks::{SeqLock, Ttas};
///
/// static LOCK: SeqLock<Ttas> = SeqLock::around(Ttas::new());
/// static SECONDS: AtomicU64 = AtomicU64::new(0);
/// static NANOSECONDS: AtomicU64 = AtomicU64::new(0);
/// LOCK.write(|| {
///     SECONDS.store(1, Relaxed);
///     NANOSECONDS.store(500, Relaxed);
/// });
/// let now = LOCK.read(|| (SECONDS.load(Relaxed), NANOSECONDS.load(Relaxed)));
/// assert_eq!(now, (1, 500));
/// ```
///
/// The protected data lie next to it, in atomics, which readers and writers access with `Relaxed` ordering. For a plain value
/// inside the lock, see [`SeqCell`](crate::SeqCell).
#[derive(Debug)]
pub struct SeqLock<R> {
    sequence: AtomicU32,
    writers: R,
}

impl<R> SeqLock<R> {
    const_fn! {
        /// Creates a sequence lock. `writers` is a free lock for the writers.
        ///
        /// ```
        /// use locktoll_locks::{SeqLock, Ticket};
        ///
        /// // Writers take turns in the order of their arrival.
        /// static CLOCK: SeqLock<Ticket> = SeqLock::around(Ticket::new());
        /// assert_eq!(CLOCK.write(|| "written"), "written");
        /// ```
        pub fn around(writers: R) -> Self {
            Self { sequence: AtomicU32::new(0), writers }
        }
    }

    /// Calls `read` until no writer has interfered, and returns the last result.
    ///
    /// `read` may see states that no writer left, and must only read atomics and compute: it must have no side effect, and no
    /// loop whose end depends on the data's consistency.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    /// use locktoll_locks::{SeqLock, Ttas};
    ///
    /// static LOCK: SeqLock<Ttas> = SeqLock::around(Ttas::new());
    /// static PAIR: [AtomicU32; 2] = [const { AtomicU32::new(0) }; 2];
    /// std::thread::scope(|scope| {
    ///     scope.spawn(|| (1..100).for_each(|n| LOCK.write(|| PAIR.iter().for_each(|part| part.store(n, Relaxed)))));
    ///     // The closure may see two different numbers. It is then called again, so the result never has them.
    ///     let [a, b] = LOCK.read(|| PAIR.each_ref().map(|part| part.load(Relaxed)));
    ///     assert_eq!(a, b);
    /// });
    /// ```
    #[inline]
    pub fn read<T>(&self, mut read: impl FnMut() -> T) -> T {
        let mut backoff = SpinThenYield::new(SPIN);
        loop {
            // Acquire: the data are at least as new as the number (I3).
            let before = self.sequence.load(Ordering::Acquire);
            if before & 1 == 0 {
                let value = read();
                // Acquire: if a value came from a later writer, the load below sees that writer's odd number (I2).
                fence(Ordering::Acquire);
                // Relaxed: ordered by the fence.
                if self.sequence.load(Ordering::Relaxed) == before {
                    return value;
                }
            }
            backoff.wait();
        }
    }

    /// Returns the writers' lock.
    ///
    /// ```
    /// use locktoll_locks::{RawLock, SeqLock, Ttas};
    ///
    /// let lock = SeqLock::<Ttas>::new();
    /// let writing = lock.writing();
    /// assert!(lock.writers().is_locked());
    /// drop(writing);
    /// assert!(!lock.writers().is_locked());
    /// ```
    pub fn writers(&self) -> &R {
        &self.writers
    }
}

impl<R: RawLock> SeqLock<R> {
    /// Creates a free lock.
    ///
    /// ```
    /// use locktoll_locks::{Futex3, RawLock, SeqLock};
    ///
    /// // For locks that are made at run time. A static needs `around`.
    /// let lock = SeqLock::<Futex3>::new();
    /// assert!(!lock.writers().is_locked());
    /// ```
    pub fn new() -> Self {
        Self::around(R::new())
    }

    /// Calls `write` while no other writer is at work. Readers that overlap with it read again. If `write` panics, its writes
    /// stay.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
    /// use locktoll_locks::{SeqLock, Ttas};
    ///
    /// static LOCK: SeqLock<Ttas> = SeqLock::around(Ttas::new());
    /// static SUM: AtomicU64 = AtomicU64::new(0);
    /// static COUNT: AtomicU64 = AtomicU64::new(0);
    /// // Loads and stores are enough, since no other writer is at work.
    /// LOCK.write(|| {
    ///     SUM.store(SUM.load(Relaxed) + 15, Relaxed);
    ///     COUNT.store(COUNT.load(Relaxed) + 1, Relaxed);
    /// });
    /// // The division must not be in the closure, which may see a count of 0.
    /// let (sum, count) = LOCK.read(|| (SUM.load(Relaxed), COUNT.load(Relaxed)));
    /// assert_eq!(sum / count, 15);
    /// ```
    #[inline]
    pub fn write<T>(&self, write: impl FnOnce() -> T) -> T {
        let _end = self.writing();
        write()
    }

    /// Waits until no other writer is inside, and excludes others until the guard is dropped: like [`write`](Self::write), for
    /// a section that is not a closure. A guard that is forgotten leaves readers and writers waiting forever.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
    /// use locktoll_locks::{SeqLock, Ttas};
    ///
    /// static LOCK: SeqLock<Ttas> = SeqLock::around(Ttas::new());
    /// static LEVEL: AtomicU8 = AtomicU8::new(0);
    /// fn set_level(text: &str) -> Result<(), std::num::ParseIntError> {
    ///     let _writing = LOCK.writing();
    ///     // An error returns from the function, which a closure could not do.
    ///     LEVEL.store(text.parse()?, Relaxed);
    ///     Ok(())
    /// }
    /// assert!(set_level("3").is_ok() && set_level("high").is_err());
    /// ```
    #[inline]
    pub fn writing(&self) -> SeqLockWriting<'_, R> {
        self.writers.lock();
        SeqLockWriting::begin(self)
    }
}

impl<R: RawLock> Default for SeqLock<R> {
    fn default() -> Self {
        Self::new()
    }
}

/// A writer at work. Its end is in `drop` so that a panic does not leave an odd number behind.
///
/// ```
/// use locktoll_locks::{SeqLock, SeqLockWriting, Ttas};
///
/// let lock = SeqLock::<Ttas>::new();
/// let writing: SeqLockWriting<Ttas> = lock.writing();
/// // Here the thread changes the data. It must not read them with `lock.read`, which would wait for this guard.
/// drop(writing);
/// lock.read(|| ());
/// ```
#[derive(Debug)]
#[must_use = "the writing ends when this is dropped"]
pub struct SeqLockWriting<'a, R: RawLock> {
    lock: &'a SeqLock<R>,
    odd: u32,
}

impl<'a, R: RawLock> SeqLockWriting<'a, R> {
    #[inline]
    fn begin(lock: &'a SeqLock<R>) -> Self {
        // Relaxed: only the holder of the writers' lock changes it (I1).
        let odd = lock.sequence.load(Ordering::Relaxed).wrapping_add(1);
        lock.sequence.store(odd, Ordering::Relaxed);
        // Release: a thread that sees data written from here on sees the odd number (I2).
        fence(Ordering::Release);
        Self { lock, odd }
    }
}

impl<R: RawLock> Drop for SeqLockWriting<'_, R> {
    #[inline]
    fn drop(&mut self) {
        // Release: a thread that sees the even number sees the data (I3).
        self.lock
            .sequence
            .store(self.odd.wrapping_add(1), Ordering::Release);
        // SAFETY: acquired in `writing`, which made this guard.
        unsafe { self.lock.writers.unlock() };
    }
}
