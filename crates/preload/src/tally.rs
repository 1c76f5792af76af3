//! Counters that only one thread writes.

use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

/// Adds to a counter that only one thread writes: a load and a store, not an atomic read-modify-write.
#[inline(always)]
pub fn add(counter: &AtomicU64, amount: u64) {
    // Relaxed: readers need each counter untorn, and nothing else.
    counter.store(counter.load(Relaxed).wrapping_add(amount), Relaxed);
}

/// Keeps the greatest value in a counter that only one thread writes.
pub fn raise(counter: &AtomicU64, value: u64) {
    // Relaxed: as in `add`.
    if value > counter.load(Relaxed) {
        counter.store(value, Relaxed);
    }
}
