//! Where the lock, its data and its threads are in one slice, drawn anew for each.
//!
//! A lock that shares a cache set with its data, or two threads that happen to begin on one core, make a figure that is reproduced
//! within the slice and says nothing about the lock. Drawn for each slice, the effect becomes noise, which the interval shows
//! ([`placement_share`](crate::stats::placement_share)).
//!
//! - The locks begin at one of the 32 pairs of cache lines of a page.
//! - The data begin at one of 1024 cache lines, since a block of that size lies in front of them.
//! - Threads begin on the CPUs in an order of their own, the same number on each, and may move as soon as they run (Linux; not if
//!   the user chose their CPUs).

use std::hint::black_box;

use crate::cell::Cell;
use crate::random::Random;

/// Pages are at least as long as this.
pub(super) const PAGE: usize = 4096;
/// A cache line.
const LINE: usize = 64;
/// The lines that the data may be shifted by.
const LINES: u64 = 1024;

/// The placement of a slice.
pub(super) struct Placement {
    random: Random,
}

/// Memory in front of the data.
pub(super) struct Spacer {
    _memory: Vec<u8>,
}

impl Placement {
    /// Returns the placement that the cell has drawn.
    pub(super) fn of(cell: &Cell) -> Self {
        Self {
            random: Random::of_seed(cell.placement),
        }
    }

    /// Returns how far into its page the first lock begins, in bytes: a multiple of `spacing`.
    pub(super) fn offset(&mut self, spacing: usize) -> usize {
        self.random.below((PAGE / spacing).max(1) as u64) as usize * spacing
    }

    /// Allocates memory, so that the next allocations are somewhere else.
    pub(super) fn spacer(&mut self) -> Spacer {
        let lines = self.random.below(LINES) as usize;
        Spacer {
            // Without the black box, the compiler may leave out an allocation that nobody uses.
            _memory: black_box(Vec::with_capacity((lines * LINE).max(1))),
        }
    }

    /// Returns the CPUs in the order in which threads begin on them.
    pub(super) fn cpus(&mut self, usable: &[usize]) -> Vec<usize> {
        let mut cpus = usable.to_vec();
        self.random.shuffle(&mut cpus);
        cpus
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Calibration, Length};

    fn drawn(placement: u64) -> (usize, usize, Vec<usize>) {
        let length = Length::Time { ns: 1000 };
        let mut cell = Cell::at_rest("std", length, Calibration { loops_per_ns: 1.0 });
        cell.placement = placement;
        let mut placement = Placement::of(&cell);
        (
            placement.offset(128),
            placement.spacer()._memory.capacity(),
            placement.cpus(&[0, 1, 2, 5]),
        )
    }

    #[test]
    fn equal_seeds_place_alike_and_different_ones_differently() {
        assert_eq!(drawn(7), drawn(7));
        let all: Vec<_> = (0..200).map(drawn).collect();
        let distinct = |mut values: Vec<usize>| {
            values.sort_unstable();
            values.dedup();
            values.len()
        };
        assert_eq!(distinct(all.iter().map(|it| it.0).collect()), 32);
        assert!(distinct(all.iter().map(|it| it.1).collect()) > 150);
        assert_eq!(distinct(all.iter().map(|it| it.2[0]).collect()), 4);
        for (offset, _, cpus) in all {
            assert!(offset < PAGE && offset.is_multiple_of(128));
            let mut sorted = cpus;
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 5]);
        }
    }
}
