//! A phase-fair reader-writer lock: readers and writers take turns.
//!
//! Writers queue by ticket. While a writer waits, newly arriving readers wait for that writer only: when it leaves, all
//! readers that have arrived in the meantime go in together, before the next writer. So a reader waits for at most one writer,
//! and a writer for one phase of readers and for the writers before it.
//!
//! | word | meaning |
//! |---|---|
//! | `readers_in` bits 8..31 | readers that have arrived, in steps of `READER` |
//! | `readers_in` bit 1 `PRESENT` | a writer holds the lock or is next |
//! | `readers_in` bit 0 `PHASE` | flipped by each writer that leaves |
//! | `readers_out` bits 8..31 | readers that have left, in the same steps |
//! | `writers_in` | the next writer's ticket |
//! | `writers_out` | the ticket of the writer being served |
//!
//! # Invariants
//!
//! - **I1** Only the writer whose ticket is `writers_out` sets or clears the low bits of
//!   `readers_in`.
//! - **I2** A reader that arrived while `PRESENT` was clear is inside; one that arrived while it was set is inside as soon as
//!   the low bits have changed.
//! - **I3** A writer is inside when `readers_out` has reached the value that `readers_in` had when the writer set `PRESENT`:
//!   all readers of the previous phase have left.
//! - **I4** Two writers in a row have different `PHASE`, so a reader cannot mistake the second for the first; and there is no
//!   third before the reader has left (I3). The ticket's parity could not replace it: a failed attempt uses up a ticket, and a
//!   reader that has not checked in between could not distinguish the two writers around it.
//!
//! At most 2^24 - 1 readers may be inside at once. Waiting threads spin for a while and then yield the processor: with more
//! threads than processors, a strict order with pure spinning costs a time slice for each hand-over.
//!
//! Source: B. B. Brandenburg, J. H. Anderson, "Spin-Based Reader-Writer Synchronization for
//! Multiprocessor Real-Time Systems", Real-Time Systems 46(1), 2010: the ticket variant, PF-T.

use crate::backoff::SpinThenYield;
use crate::sync::{AtomicU32, Ordering, const_fn};

const PHASE: u32 = 1;
const PRESENT: u32 = 2;
const WRITER_BITS: u32 = PHASE | PRESENT;
const READER: u32 = 1 << 8;

/// The units of spinning before each yield.
const SPIN: u32 = 100;

/// A reader-writer lock in which readers and writers take turns.
///
/// ```
/// use locktoll_locks::{RwFair, RwLock};
///
/// static TABLE: RwLock<RwFair, Vec<u32>> = RwLock::new(Vec::new());
/// TABLE.write().push(1);
/// assert_eq!(TABLE.read().len(), 1);
/// ```
///
/// A thread that reads must not acquire the lock for reading again before it has left: a writer that arrived in between would
/// wait for the first acquisition, and the second for the writer.
#[derive(Debug)]
pub struct RwFair {
    readers_in: AtomicU32,
    readers_out: AtomicU32,
    writers_in: AtomicU32,
    writers_out: AtomicU32,
}

impl RwFair {
    const_fn! {
        /// Creates a free lock.
        ///
        /// ```
        /// use locktoll_locks::{RwFair, RwLock};
        ///
        /// static TABLE: RwLock<RwFair, [u32; 2]> = RwLock::from_raw(RwFair::new(), [1, 2]);
        /// std::thread::scope(|scope| {
        ///     let table = TABLE.read();
        ///     // Another thread reads at the same time.
        ///     scope.spawn(|| assert_eq!(TABLE.read()[1], 2)).join().unwrap();
        ///     assert_eq!(table[0], 1);
        /// });
        /// ```
        pub fn new() -> Self {
            Self {
                readers_in: AtomicU32::new(0),
                readers_out: AtomicU32::new(0),
                writers_in: AtomicU32::new(0),
                writers_out: AtomicU32::new(0),
            }
        }
    }
}

// SAFETY: exclusion by I1 to I4; the orderings below pass on what the holders did.
unsafe impl crate::RawRw for RwFair {
    fn new() -> Self {
        Self::new()
    }

    #[inline]
    fn lock_shared(&self) {
        // Acquire: if no writer is present, pairs with the release of the last one.
        let writer = self.readers_in.fetch_add(READER, Ordering::Acquire) & WRITER_BITS;
        if writer & PRESENT == 0 {
            return;
        }
        let mut backoff = SpinThenYield::new(SPIN);
        // Acquire: pairs with the release of the writer that this thread waits for (I2).
        while self.readers_in.load(Ordering::Acquire) & WRITER_BITS == writer {
            backoff.wait();
        }
    }

    #[inline]
    fn try_lock_shared(&self) -> bool {
        // Relaxed: a hint for the exchange.
        let mut readers = self.readers_in.load(Ordering::Relaxed);
        while readers & PRESENT == 0 {
            // Acquire as in `lock_shared`.
            match self.readers_in.compare_exchange(
                readers,
                readers.wrapping_add(READER),
                Ordering::Acquire,
                Ordering::Relaxed,
            ) {
                Ok(_) => return true,
                Err(now) => readers = now,
            }
        }
        false
    }

    #[inline]
    unsafe fn unlock_shared(&self) {
        // Release: what the reader has read is read before the next writer writes.
        self.readers_out.fetch_add(READER, Ordering::Release);
    }

    #[inline]
    fn lock_exclusive(&self) {
        // Relaxed: a ticket gives a place in the queue, not the lock.
        let ticket = self.writers_in.fetch_add(1, Ordering::Relaxed);
        let mut backoff = SpinThenYield::new(SPIN);
        // Acquire: pairs with the release of the previous writer.
        while self.writers_out.load(Ordering::Acquire) != ticket {
            backoff.wait();
        }
        // Relaxed: `PRESENT` was clear (I1); what readers have done is acquired below.
        let came = self.readers_in.fetch_add(PRESENT, Ordering::Relaxed) & !WRITER_BITS;
        // Acquire: pairs with the release of each reader that has left (I3).
        while self.readers_out.load(Ordering::Acquire) != came {
            backoff.wait();
        }
    }

    fn try_lock_exclusive(&self) -> bool {
        // Acquire: pairs with the release of the previous writer.
        let ticket = self.writers_out.load(Ordering::Acquire);
        // Relaxed: as in `lock_exclusive`. A success means that no writer waits or is inside.
        if self
            .writers_in
            .compare_exchange(
                ticket,
                ticket.wrapping_add(1),
                Ordering::Relaxed,
                Ordering::Relaxed,
            )
            .is_err()
        {
            return false;
        }
        // Acquire: pairs with the release of each reader that has left (I3).
        let left = self.readers_out.load(Ordering::Acquire);
        // Relaxed: only the writer being served changes the phase, and that is this thread (I1).
        let free = left | (self.readers_in.load(Ordering::Relaxed) & PHASE);
        // A success means that as many readers have arrived as have left. Relaxed: as in `lock_exclusive`.
        let entered = self
            .readers_in
            .compare_exchange(free, free | PRESENT, Ordering::Relaxed, Ordering::Relaxed)
            .is_ok();
        if !entered {
            // Release: a later writer sees what this thread has seen.
            self.writers_out
                .store(ticket.wrapping_add(1), Ordering::Release);
        }
        entered
    }

    #[inline]
    unsafe fn unlock_exclusive(&self) {
        // Relaxed: only the writer inside writes it.
        let ticket = self.writers_out.load(Ordering::Relaxed);
        // `PRESENT` is set: this clears it and flips the phase (I4). Release: what the writer did is visible to the readers
        // that go in (I2).
        self.readers_in.fetch_xor(WRITER_BITS, Ordering::Release);
        // Release: what the writer did is also visible to the next writer.
        self.writers_out
            .store(ticket.wrapping_add(1), Ordering::Release);
    }

    fn is_locked(&self) -> bool {
        // Relaxed: a snapshot; nothing is read on the strength of it.
        self.readers_in.load(Ordering::Relaxed) & !PHASE != self.readers_out.load(Ordering::Relaxed)
    }

    fn is_locked_exclusive(&self) -> bool {
        // Relaxed: as above.
        self.readers_in.load(Ordering::Relaxed) & PRESENT != 0
    }
}

crate::raw_rw::impl_raw_rwlock!(RwFair);

#[cfg(all(test, not(locktoll_loom)))]
mod tests {
    use std::sync::Arc;
    use std::thread;

    use super::*;
    use crate::RawRw;

    /// A reader arrives while a writer is inside, and does not check again before an attempt has failed and the next writer
    /// has come. It must see that this is a different writer: the writer waits for it.
    #[test]
    fn a_failed_try_does_not_make_two_writers_look_alike() {
        let lock = Arc::new(RwFair::new());
        for _ in 0..4 {
            lock.lock_exclusive();
            let seen = lock.readers_in.fetch_add(READER, Ordering::Acquire) & WRITER_BITS;
            // SAFETY: locked above.
            unsafe { lock.unlock_exclusive() };
            assert!(!lock.try_lock_exclusive(), "a reader is in");
            let second = Arc::clone(&lock);
            let second = thread::spawn(move || {
                second.lock_exclusive();
                // SAFETY: locked above.
                unsafe { second.unlock_exclusive() };
            });
            while !lock.is_locked_exclusive() {
                thread::yield_now();
            }
            let now = lock.readers_in.load(Ordering::Acquire) & WRITER_BITS;
            assert_ne!(
                now, seen,
                "the reader would wait for a writer that waits for it"
            );
            // SAFETY: the reader entered above.
            unsafe { lock.unlock_shared() };
            second.join().unwrap();
            assert!(!lock.is_locked());
        }
    }
}
