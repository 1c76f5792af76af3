//! A reader-preferring reader-writer lock that parks.
//!
//! A reader enters unless a writer is inside; waiting writers do not delay it. So readers never wait for long, but writers may
//! wait forever while readers overlap.
//!
//! The state word:
//!
//! | bits | meaning |
//! |---|---|
//! | 0..28 | readers inside |
//! | 29 `WRITERS_PARKED` | writers may sleep on `writer_calls` |
//! | 30 `READERS_PARKED` | readers may sleep on the state word |
//! | 31 `WRITER` | a writer is inside |
//!
//! # Invariants
//!
//! - **I1** A reader is counted only while `WRITER` is clear; `WRITER` is set only while no reader
//!   is counted.
//! - **I2** `READERS_PARKED` is set only while `WRITER` is, and the leaving writer clears it and wakes all sleeping readers.
//!   While `WRITER` is set, only the parked bits of the word change, so a sleeping reader's comparison is valid.
//! - **I3** Writers read `writer_calls`, then set `WRITERS_PARKED` in a word that is not free, then
//!   sleep if the count is unchanged. A thread that leaves the word free and finds the bit clears
//!   it, counts a call and wakes one writer.
//! - **I4** A woken writer takes the lock with `WRITERS_PARKED` set, since others may still sleep;
//!   the bit may be set without a sleeper (one needless call), never clear with one.
//!
//! Source: P. J. Courtois, F. Heymans, D. L. Parnas, "Concurrent Control with 'Readers' and
//! 'Writers'", CACM 14(10), 1971, the first problem; parking as in the futex-based locks of Rust's
//! standard library.

use crate::backoff::SpinBudget;
use crate::park::Futex;
use crate::sync::{AtomicU32, Ordering, const_fn};

const WRITER: u32 = 1 << 31;
const READERS_PARKED: u32 = 1 << 30;
const WRITERS_PARKED: u32 = 1 << 29;
const READERS: u32 = WRITERS_PARKED - 1;

/// A reader-writer lock in which readers overtake writers.
///
/// ```
/// use locktoll_locks::{RwLock, RwReader};
///
/// let table = RwLock::<RwReader, _>::new(vec![1]);
/// // A thread may read again while it reads: no writer can come in between.
/// let (outer, inner) = (table.read(), table.read());
/// assert_eq!(outer[0], inner[0]);
/// assert!(table.try_write().is_none());
/// ```
#[derive(Debug)]
pub struct RwReader {
    state: Futex,
    writer_calls: Futex,
    spin: u32,
}

impl RwReader {
    /// The default number of spin units before parking: about 2.5 us.
    pub const DEFAULT_SPIN: u32 = 100;

    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{RwLock, RwReader};
        ///
        /// static NAMES: RwLock<RwReader, Vec<&str>> = RwLock::from_raw(RwReader::new(), Vec::new());
        /// NAMES.write().push("first");
        /// assert_eq!(NAMES.read().first(), Some(&"first"));
        /// ```
        pub fn new() -> Self {
            Self::with_spin(Self::DEFAULT_SPIN)
        }

        /// Creates a free lock whose waiters spin for `spin` units of [`SPIN_UNIT_NS`](crate::SPIN_UNIT_NS) before they park.
        ///
        /// ```
        /// use locktoll_locks::{RwLock, RwReader};
        ///
        /// // Readers and writers that have to wait spin for 400 units, about 10 us, before they sleep.
        /// static LEVEL: RwLock<RwReader, u8> = RwLock::from_raw(RwReader::with_spin(400), 1);
        /// *LEVEL.write() = 2;
        /// assert_eq!(*LEVEL.read(), 2);
        /// ```
        pub fn with_spin(spin: u32) -> Self {
            Self { state: Futex::new(0), writer_calls: Futex::new(0), spin }
        }
    }

    fn word(&self) -> &AtomicU32 {
        &self.state
    }

    /// Exchanges the state word once. `Err` is the present word.
    #[inline]
    #[cfg_attr(locktoll_loom, track_caller)]
    fn exchange(&self, from: u32, to: u32, success: Ordering) -> Result<(), u32> {
        // Relaxed on failure: nothing acquired, the caller checks again.
        self.word()
            .compare_exchange(from, to, success, Ordering::Relaxed)
            .map(drop)
    }

    #[cold]
    fn lock_shared_contended(&self) {
        let mut budget = SpinBudget::new(self.spin);
        // Relaxed loads: hints for the exchanges.
        let mut state = self.word().load(Ordering::Relaxed);
        loop {
            if state & WRITER == 0 {
                check_count(state);
                // Acquire: pairs with the release of the previous writer (I1).
                match self.exchange(state, state + 1, Ordering::Acquire) {
                    Ok(()) => return,
                    Err(now) => state = now,
                }
                continue;
            }
            if !budget.spin() {
                let parked = state | READERS_PARKED;
                // Relaxed: a mark for the writer inside, no data (I2).
                if let Err(now) = self.exchange(state, parked, Ordering::Relaxed) {
                    state = now;
                    continue;
                }
                self.state.wait(parked);
                budget = SpinBudget::new(self.spin);
            }
            state = self.word().load(Ordering::Relaxed);
        }
    }

    #[cold]
    fn lock_exclusive_contended(&self) {
        let mut budget = SpinBudget::new(self.spin);
        // WRITERS_PARKED once this thread has slept (I4).
        let mut others = 0;
        // Relaxed loads: hints for the exchanges.
        let mut state = self.word().load(Ordering::Relaxed);
        loop {
            if state & (WRITER | READERS) == 0 {
                // Acquire: pairs with the release of all previous holders (I1).
                match self.exchange(state, state | WRITER | others, Ordering::Acquire) {
                    Ok(()) => return,
                    Err(now) => state = now,
                }
                continue;
            }
            if !budget.spin() {
                // Acquire, with the release in `call_writer`: this thread's mark, set below, comes after each clearing that
                // this count has seen. So the clearing of its mark is counted later, and changes the word that it sleeps on
                // (I3).
                let calls = self.writer_calls.load(Ordering::Acquire);
                // Relaxed: a hint for the exchange.
                state = self.word().load(Ordering::Relaxed);
                if state & (WRITER | READERS) == 0 {
                    continue;
                }
                // Relaxed: it comes after the read of the count, by that load's acquire; no data.
                if let Err(now) = self.exchange(state, state | WRITERS_PARKED, Ordering::Relaxed) {
                    state = now;
                    continue;
                }
                self.writer_calls.wait(calls);
                others = WRITERS_PARKED;
                budget = SpinBudget::new(self.spin);
            }
            state = self.word().load(Ordering::Relaxed);
        }
    }

    /// Wakes one writer if the lock is free. If it is not, the thread that leaves it free will do so (I3).
    #[cold]
    fn call_writer(&self) {
        // Relaxed: the mark and the call pass on no data; the lock word does.
        if self.exchange(WRITERS_PARKED, 0, Ordering::Relaxed).is_ok() {
            // Release: a writer that reads this count sets its mark after the clearing above.
            self.writer_calls.fetch_add(1, Ordering::Release);
            self.writer_calls.wake_one();
        }
    }
}

/// # Panics
///
/// If 2^29 readers are inside: one more would read as a flag.
#[inline]
fn check_count(state: u32) {
    assert!(state & READERS != READERS, "too many readers");
}

// SAFETY: exclusion by I1; the orderings below pass on what the holders did.
unsafe impl crate::RawRw for RwReader {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock_shared(&self) {
        if !self.try_lock_shared() {
            self.lock_shared_contended();
        }
    }

    #[inline]
    fn try_lock_shared(&self) -> bool {
        // Relaxed: a hint for the exchange.
        let mut state = self.word().load(Ordering::Relaxed);
        while state & WRITER == 0 {
            check_count(state);
            // Acquire: pairs with the release of the previous writer (I1).
            match self.exchange(state, state + 1, Ordering::Acquire) {
                Ok(()) => return true,
                Err(now) => state = now,
            }
        }
        false
    }

    #[inline]
    unsafe fn unlock_shared(&self) {
        // Release: what the reader has read is read before the next writer writes.
        let left = self.word().fetch_sub(1, Ordering::Release) - 1;
        if left == WRITERS_PARKED {
            self.call_writer();
        }
    }

    #[inline]
    fn lock_exclusive(&self) {
        // Acquire: pairs with the release of all previous holders.
        if self.exchange(0, WRITER, Ordering::Acquire).is_err() {
            self.lock_exclusive_contended();
        }
    }

    #[inline]
    fn try_lock_exclusive(&self) -> bool {
        // Relaxed: a hint for the exchange.
        let mut state = self.word().load(Ordering::Relaxed);
        while state & (WRITER | READERS) == 0 {
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
        // Release: what the writer did is visible to all later holders.
        let before = self
            .word()
            .fetch_and(!(WRITER | READERS_PARKED), Ordering::Release);
        if before & READERS_PARKED != 0 {
            self.state.wake_all();
        }
        if before & WRITERS_PARKED != 0 {
            // Readers that were woken and are inside by now keep the writer out. Then the exchange in `call_writer` fails, and
            // the last of them calls the writer.
            self.call_writer();
        }
    }

    #[inline]
    fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        self.word().load(Ordering::Relaxed) & (WRITER | READERS) != 0
    }

    #[inline]
    fn is_locked_exclusive(&self) -> bool {
        // Relaxed: as above.
        self.word().load(Ordering::Relaxed) & WRITER != 0
    }
}

crate::raw_rw::impl_raw_rwlock!(RwReader);
