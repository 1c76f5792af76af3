//! A map that is mostly read.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use locktoll_locks::CachePadded;

use super::traits::expect_equal;
use super::{Aim, Workload};
use crate::cell::Cell;
use crate::random::Random;

/// Entries of the map: 8 KiB, which fits in a first-level cache.
const ENTRIES: u64 = 1024;

/// A sorted map by binary search, and the number of its updates.
pub(crate) struct ReadMostly {
    entries: Box<[AtomicU64]>,
    /// Only for verification, so it must not take the neighbouring cache line away from readers.
    updates: CachePadded<AtomicU64>,
    read_ratio: f64,
}

/// A thread's random sequence, the entry it is about to visit, and its own count of updates.
pub(crate) struct Local {
    random: Random,
    entry: u64,
    updates: u64,
}

impl ReadMostly {
    /// Finds the place of `entry` by binary search, as a lookup would.
    #[inline]
    fn find(&self, entry: u64) -> usize {
        self.entries
            .partition_point(|value| value.load(Relaxed) >> 32 < entry)
    }
}

impl Workload for ReadMostly {
    type Local = Local;

    const READS: bool = true;

    fn new(cell: &Cell) -> Self {
        Self {
            // The key is in the upper half, a value that updates change in the lower.
            entries: (0..ENTRIES).map(|key| AtomicU64::new(key << 32)).collect(),
            updates: CachePadded::new(AtomicU64::new(0)),
            read_ratio: cell.read_ratio,
        }
    }

    fn local(&self, thread: u32) -> Local {
        Local {
            random: Random::new(thread),
            entry: 0,
            updates: 0,
        }
    }

    #[inline]
    fn aim(&self, local: &mut Local) -> Aim {
        local.entry = local.random.below(ENTRIES);
        Aim {
            stripe: 0,
            read_only: local.random.unit() < self.read_ratio,
        }
    }

    #[inline]
    fn enter(&self, local: &mut Local) -> bool {
        // Relaxed throughout: the lock orders the accesses.
        let entry = &self.entries[self.find(local.entry)];
        let value = entry.load(Relaxed);
        let changed = (value as u32).wrapping_add(1);
        entry.store(value >> 32 << 32 | u64::from(changed), Relaxed);
        self.updates.store(self.updates.load(Relaxed) + 1, Relaxed);
        local.updates += 1;
        true
    }

    #[inline]
    fn read(&self, local: &Local) {
        black_box(self.entries[self.find(local.entry)].load(Relaxed));
    }

    fn verify(&self, locals: Vec<Local>, _operations: u64) -> Result<(), String> {
        let expected = locals.iter().map(|local| local.updates).sum();
        expect_equal("updates found", self.updates.load(Relaxed), expected)
    }
}
