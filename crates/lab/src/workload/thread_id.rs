//! The white paper's second kernel: store a thread id, update one global.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use super::Workload;
use super::traits::expect_equal;
use crate::cell::Cell;

/// The last owner's id and a global that changes with every operation.
pub(crate) struct ThreadId {
    last_owner: AtomicU32,
    updates: AtomicU64,
}

impl Workload for ThreadId {
    type Local = u32;

    fn new(_cell: &Cell) -> Self {
        Self {
            last_owner: AtomicU32::new(u32::MAX),
            updates: AtomicU64::new(0),
        }
    }

    fn local(&self, thread: u32) -> u32 {
        thread
    }

    #[inline]
    fn enter(&self, thread: &mut u32) -> bool {
        // Relaxed: the lock orders them.
        self.last_owner.store(*thread, Relaxed);
        self.updates.store(self.updates.load(Relaxed) + 1, Relaxed);
        true
    }

    fn verify(&self, _locals: Vec<u32>, operations: u64) -> Result<(), String> {
        expect_equal("updates found", self.updates.load(Relaxed), operations)
    }
}
