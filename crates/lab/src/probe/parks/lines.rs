//! A small working set, whose lines are loaded at each turn, some of them timed.
//!
//! 1. The pages of [`Lines`] are mapped and readable while it lives, and every address in `order` and `first` lies inside them.

use super::access::{flush, load, timed_load};
use super::scale::{Loaded, Scale};
use crate::clock::Clock;
use crate::probe::refill::{PageSize, Pages};
use crate::random::Random;

/// Lines that are loaded at each turn: as many as fill a page, the smallest working set of the price list.
const LINES: usize = 64;

/// How many of them are timed at a turn. Timing all would make a turn several times as long.
const TIMED: usize = 8;

/// Bytes between two lines. Processors fetch lines in pairs, and a load must not bring the line of another one.
const APART: usize = 128;

/// Bytes of one page.
const PAGE: usize = 4096;

/// Loads by their times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Timed loads, without those that were interrupted.
    pub(super) timed: u64,
    /// Those that took as long as a miss.
    pub(super) missed: u64,
}

impl Tally {
    /// Returns the share of the loads that were misses.
    pub(super) fn share(self) -> Option<f64> {
        (self.timed > 0).then(|| self.missed as f64 / self.timed as f64)
    }

    /// Returns the sum of both.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            timed: self.timed + other.timed,
            missed: self.missed + other.missed,
        }
    }

    /// Returns the loads since `earlier`.
    pub(super) fn since(self, earlier: Self) -> Self {
        Self {
            timed: self.timed - earlier.timed,
            missed: self.missed - earlier.missed,
        }
    }
}

/// The working set of one thread.
pub(super) struct Lines {
    _pages: Pages,
    order: Vec<usize>,
    /// A line of each page that is never timed: loading it brings the page's address into the TLB.
    first: [usize; 2],
    next: usize,
    tally: Tally,
}

impl Lines {
    /// Maps the working set.
    ///
    /// # Errors
    /// A sentence with the reason, if there is not enough memory.
    pub(super) fn map() -> Result<Self, String> {
        let mut pages = Pages::map(2 * PAGE, PageSize::Small)?;
        let start = pages.start() as usize;
        let mut order: Vec<usize> = (0..LINES).map(|line| start + line * APART).collect();
        let mut random = Random::new(LINES as u32);
        for last in (1..LINES).rev() {
            order.swap(last, random.below(last as u64 + 1) as usize);
        }
        Ok(Self {
            _pages: pages,
            order,
            // Half a step behind a line that is timed.
            first: [start + APART / 2, start + PAGE + APART / 2],
            next: 0,
            tally: Tally::default(),
        })
    }

    /// Loads all lines: first the next few of them, timed, then the others.
    pub(super) fn visit(&mut self, clock: &Clock, scale: &Scale) {
        self.load_pages();
        for place in 0..LINES {
            let address = self.order[(self.next + place) % LINES];
            if place < TIMED {
                // SAFETY: invariant 1.
                let ticks = unsafe { timed_load(clock, address as *const usize) };
                match scale.classify(ticks) {
                    Loaded::Hit => self.tally.timed += 1,
                    Loaded::Miss => {
                        self.tally.timed += 1;
                        self.tally.missed += 1;
                    }
                    Loaded::Interrupted => {}
                }
            } else {
                // SAFETY: invariant 1.
                unsafe { load(address as *const usize) };
            }
        }
        self.next = (self.next + TIMED) % LINES;
    }

    /// Times a load of each line, in ticks, after `before` has been done to it.
    pub(super) fn time_each(&mut self, clock: &Clock, before: Before) -> Vec<u64> {
        self.load_pages();
        let times = self.order.iter().map(|address| {
            let address = *address as *const usize;
            // SAFETY: invariant 1.
            unsafe {
                match before {
                    Before::Nothing => {}
                    Before::Load => load(address),
                    Before::Flush => flush(address),
                }
                timed_load(clock, address)
            }
        });
        times.collect()
    }

    /// Removes this many of the lines that are timed next from all caches, for tests of the figure.
    #[cfg(test)]
    pub(super) fn flush_next(&self, lines: usize) {
        assert!(lines <= TIMED);
        for place in 0..lines {
            // SAFETY: invariant 1.
            unsafe { flush(self.order[(self.next + place) % LINES] as *const usize) };
        }
    }

    /// Returns the loads so far.
    pub(super) fn tally(&self) -> Tally {
        self.tally
    }

    fn load_pages(&self) {
        for address in self.first {
            // SAFETY: invariant 1.
            unsafe { load(address as *const usize) };
        }
    }
}

/// What is done to a line before its load is timed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Before {
    /// Nothing: the line is where it is.
    Nothing,
    /// It is loaded.
    Load,
    /// It is removed from all caches.
    Flush,
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn all_lines_take_turns_in_being_timed() {
        let mut lines = Lines::map().unwrap();
        let addresses: BTreeSet<usize> = lines.order.iter().copied().collect();
        assert_eq!(addresses.len(), LINES);
        let clock = Clock::get();
        let every_load_misses = Scale::of_ticks(0, u64::MAX);
        for _ in 0..LINES / TIMED {
            lines.visit(clock, &every_load_misses);
        }
        assert_eq!(lines.next, 0);
        let tally = lines.tally();
        assert_eq!((tally.timed, tally.missed), (LINES as u64, LINES as u64));
        assert_eq!(tally.share(), Some(1.0));
        let every_load_is_interrupted = Scale::of_ticks(0, 0);
        lines.visit(clock, &every_load_is_interrupted);
        assert_eq!(lines.tally(), tally);
    }

    #[test]
    fn tallies_add_up() {
        let tally = |timed, missed| Tally { timed, missed };
        assert_eq!(tally(0, 0).share(), None);
        assert_eq!(tally(800, 1).share(), Some(1.0 / 800.0));
        assert_eq!(tally(9, 3).since(tally(5, 1)), tally(4, 2));
        assert_eq!(tally(9, 3).plus(tally(5, 1)), tally(14, 4));
    }
}
