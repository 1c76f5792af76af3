//! A hash table under one lock, a few locks, or one lock per bucket.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::traits::expect_equal;
use super::{Aim, Workload};
use crate::cell::Cell;
use crate::random::Random;

/// Buckets of the table.
pub(crate) const BUCKETS: usize = 1024;

/// Cells of a bucket, searched from the first.
const CELLS: usize = 6;

/// A bucket: the number of updates and a few keys, on one cache line.
#[repr(align(64))]
struct Bucket {
    updates: AtomicU64,
    keys: [AtomicU64; CELLS],
}

/// `BUCKETS` buckets divided among the stripes: bucket `b` belongs to lock `b % stripes`.
pub(crate) struct HashTable {
    buckets: Box<[Bucket]>,
    stripes: usize,
}

/// A thread's random sequence and the key it is about to update.
pub(crate) struct Local {
    random: Random,
    key: u64,
}

impl Workload for HashTable {
    type Local = Local;

    fn new(cell: &Cell) -> Self {
        Self {
            buckets: (0..BUCKETS)
                .map(|_| Bucket {
                    updates: AtomicU64::new(0),
                    keys: Default::default(),
                })
                .collect(),
            stripes: cell.stripes as usize,
        }
    }

    fn stripes(&self) -> usize {
        self.stripes
    }

    fn local(&self, thread: u32) -> Local {
        Local {
            random: Random::new(thread),
            key: 0,
        }
    }

    #[inline]
    fn aim(&self, local: &mut Local) -> Aim {
        local.key = local.random.bits();
        Aim {
            stripe: bucket_of(local.key) % self.stripes,
            read_only: false,
        }
    }

    #[inline]
    fn enter(&self, local: &mut Local) -> bool {
        // Relaxed throughout: the lock orders the accesses.
        let bucket = &self.buckets[bucket_of(local.key)];
        let place = bucket
            .keys
            .iter()
            .position(|key| key.load(Relaxed) == local.key)
            .unwrap_or((local.key >> 32) as usize % CELLS);
        bucket.keys[place].store(local.key, Relaxed);
        bucket
            .updates
            .store(bucket.updates.load(Relaxed) + 1, Relaxed);
        true
    }

    fn verify(&self, _locals: Vec<Local>, operations: u64) -> Result<(), String> {
        let found = self.buckets.iter().map(|b| b.updates.load(Relaxed)).sum();
        expect_equal("updates found", found, operations)
    }
}

/// Returns the bucket of a key (keys are random already, so their low bits suffice).
#[inline]
fn bucket_of(key: u64) -> usize {
    key as usize % BUCKETS
}
