//! The intervals by thread, and those of a thread by their beginning.

use super::interval::{Interval, Row};
use locktoll_results::profile::timeline::Timeline;

/// The intervals of a timeline, those of the first thread first.
#[derive(Debug)]
pub struct Sorted<'t> {
    pub of: &'t Timeline,
    /// Rows of its tables, in order.
    pub rows: Vec<Row>,
    /// The number of each thread's first interval, and their number.
    pub first: Vec<usize>,
}

impl<'t> Sorted<'t> {
    /// Sorts all intervals of a sound timeline.
    pub fn new(of: &'t Timeline) -> Self {
        let tables = || {
            let numbers = |length: usize| 0..u32::try_from(length).unwrap_or(u32::MAX);
            // At equal times, a wait is before the hold that follows it.
            let waits = numbers(of.waits.len()).map(Row::Wait);
            let holds = numbers(of.holds.len()).map(Row::Hold);
            let blocks = numbers(of.blocks.len()).map(Row::Block);
            let switches = numbers(of.switches.len()).map(Row::Switch);
            let signals = numbers(of.signals.len()).map(Row::Signal);
            waits
                .chain(holds)
                .chain(blocks)
                .chain(switches)
                .chain(signals)
        };
        let mut first = vec![0; of.threads.len() + 1];
        for row in tables() {
            first[row.thread(of) as usize + 1] += 1;
        }
        for thread in 0..of.threads.len() {
            first[thread + 1] += first[thread];
        }
        let mut rows = vec![Row::Wait(0); first[of.threads.len()]];
        let mut next = first.clone();
        for row in tables() {
            let place = &mut next[row.thread(of) as usize];
            rows[*place] = row;
            *place += 1;
        }
        // Each thread has a few tables in order, one after the other; the sort merges them.
        for thread in 0..of.threads.len() {
            rows[first[thread]..first[thread + 1]].sort_by_key(|row| row.begin_ns(of));
        }
        Self { of, rows, first }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn get(&self, at: usize) -> Interval {
        self.rows[at].interval(self.of)
    }

    pub fn iter(&self) -> impl Iterator<Item = Interval> + '_ {
        self.rows.iter().map(|row| row.interval(self.of))
    }

    /// Returns the number of intervals of a thread.
    pub fn of_thread(&self, thread: usize) -> usize {
        self.first[thread + 1] - self.first[thread]
    }
}
