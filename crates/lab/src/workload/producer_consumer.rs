//! A bounded ring between producers and consumers.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Workload;
use super::traits::expect_equal;
use crate::cell::Cell;

/// Places in the ring.
const PLACES: u64 = 64;

/// A ring under one lock. A thread that finds it full (or empty) releases the lock, yields and tries again; only successful puts
/// and takes count as operations.
pub(crate) struct ProducerConsumer {
    put: AtomicU64,
    taken: AtomicU64,
    ring: [AtomicU64; PLACES as usize],
}

/// One side of the ring, and the sum of the items that passed through this thread.
pub(crate) struct Local {
    produces: bool,
    passed: u64,
}

impl Workload for ProducerConsumer {
    type Local = Local;

    fn new(_cell: &Cell) -> Self {
        Self {
            put: AtomicU64::new(0),
            taken: AtomicU64::new(0),
            ring: std::array::from_fn(|_| AtomicU64::new(0)),
        }
    }

    fn local(&self, thread: u32) -> Local {
        Local {
            produces: thread.is_multiple_of(2),
            passed: 0,
        }
    }

    #[inline]
    fn enter(&self, local: &mut Local) -> bool {
        // Relaxed throughout: the lock orders the accesses.
        let (put, taken) = (self.put.load(Relaxed), self.taken.load(Relaxed));
        if local.produces {
            if put.wrapping_sub(taken) >= PLACES {
                return false;
            }
            self.ring[(put % PLACES) as usize].store(put, Relaxed);
            self.put.store(put + 1, Relaxed);
            local.passed = local.passed.wrapping_add(put);
        } else {
            if put == taken {
                return false;
            }
            let item = self.ring[(taken % PLACES) as usize].load(Relaxed);
            self.taken.store(taken + 1, Relaxed);
            local.passed = local.passed.wrapping_add(item);
        }
        true
    }

    fn verify(&self, locals: Vec<Local>, operations: u64) -> Result<(), String> {
        let (put, taken) = (self.put.load(Relaxed), self.taken.load(Relaxed));
        expect_equal("puts and takes found", put + taken, operations)?;
        // The items are consecutive numbers, so those still inside are known.
        let inside = (taken..put).fold(0u64, u64::wrapping_add);
        let passed = |produces: bool| {
            locals
                .iter()
                .filter(|local| local.produces == produces)
                .fold(0u64, |sum, local| sum.wrapping_add(local.passed))
        };
        let consumed = passed(false).wrapping_add(inside);
        expect_equal("sum of items taken and left", consumed, passed(true))
    }
}
