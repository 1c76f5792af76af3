//! Holds that were recorded together for several locks.

use std::cmp::Reverse;
use std::collections::HashMap;

use locktoll_recording::layout::EntryPoint;
use locktoll_recording::reader::Key;

use super::part_view::PartView;
use crate::joiner::plus;

/// The key of a pooled record: birth and site, by their index in the part, kind and entry point.
type Pool = (Option<usize>, Option<usize>, EntryPoint);

/// The rows to which pooled records belong.
///
/// Locks with the same birth nearly always share a row. Where they do not (two arrays whose locks are first taken by one loop),
/// the record goes to the row that was acquired most at the record's site.
#[derive(Default)]
pub struct Pools(HashMap<Pool, usize>);

impl Pools {
    /// Finds the rows for one part; `row_of` has the row of each of its locks.
    pub fn of(view: &PartView<'_>, row_of: &[Option<usize>]) -> Self {
        let mut acquired: HashMap<(Pool, usize), u64> = HashMap::new();
        for (instance, row) in view.instances.list().iter().zip(row_of) {
            let Some(row) = *row else {
                continue;
            };
            for count in view.instances.counts(view.part, instance) {
                let pool = (count.birth, count.site, count.entry);
                plus(acquired.entry((pool, row)).or_default(), count.acquisitions);
            }
        }
        let mut most: HashMap<Pool, (u64, usize)> = HashMap::new();
        for ((pool, row), acquisitions) in acquired {
            let best = most.entry(pool).or_insert((acquisitions, row));
            // By number if the counts are the same, so that the result is the same, too.
            if (acquisitions, Reverse(row)) > (best.0, Reverse(best.1)) {
                *best = (acquisitions, row);
            }
        }
        Self(
            most.into_iter()
                .map(|(pool, (_, row))| (pool, row))
                .collect(),
        )
    }

    /// Returns the row of a pooled record.
    pub fn row(&self, key: &Key) -> Option<usize> {
        self.0.get(&(key.birth, key.site, key.entry)).copied()
    }
}
