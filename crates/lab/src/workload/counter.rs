//! A shared counter.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Workload;
use super::traits::expect_equal;
use crate::cell::Cell;

/// One number that every operation increments.
pub(crate) struct Counter {
    value: AtomicU64,
}

impl Workload for Counter {
    type Local = ();

    fn new(_cell: &Cell) -> Self {
        Self {
            value: AtomicU64::new(0),
        }
    }

    fn local(&self, _thread: u32) {}

    #[inline]
    fn enter(&self, (): &mut ()) -> bool {
        // A separate load and store, not a read-modify-write: two threads inside at once lose an update. Relaxed: the lock orders
        // them.
        self.value.store(self.value.load(Relaxed) + 1, Relaxed);
        true
    }

    fn verify(&self, _locals: Vec<()>, operations: u64) -> Result<(), String> {
        expect_equal("increments found", self.value.load(Relaxed), operations)
    }
}
