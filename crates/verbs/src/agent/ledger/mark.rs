//! What each reading of one source adds to the counters of a lock.

use super::buckets::Buckets;
use super::counts::Counts;
use crate::agent::lock_rows::LockRow;

/// The highest figures that one source has shown of a lock. Some figures are estimates, which may be corrected downwards later; the
/// counters wait until they are reached again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    highest: Counts,
    /// Holds that are in no bucket yet: none has been timed since they were counted.
    untimed: u64,
    untimed_ns: u64,
}

impl Mark {
    /// Returns a mark for a lock that has now the figures of these, which are no longer shown: the source has put them together.
    pub fn together<'a>(marks: impl IntoIterator<Item = &'a Self>) -> Self {
        let mut sum = Self::default();
        for mark in marks {
            sum.highest.add(&mark.highest);
            sum.untimed = sum.untimed.saturating_add(mark.untimed);
            sum.untimed_ns = sum.untimed_ns.saturating_add(mark.untimed_ns);
        }
        sum
    }

    /// Takes in a reading. Returns what it adds.
    pub fn advance(&mut self, row: &LockRow) -> Counts {
        let holds = row.holds.clone().unwrap_or_default();
        let now = Counts {
            acquisitions: row.acquisitions.unwrap_or(0),
            contended: row.contended,
            wait_ns: row.wait_ns,
            waits: Buckets::of(&row.wait_log2),
            hold_ns: holds.total_ns,
            holds: Buckets::of(&holds.log2),
        };
        let mut added = now.with(&self.highest, u64::saturating_sub);
        self.highest = self.highest.with(&now, u64::max);
        self.untimed = self.untimed.saturating_add(added.acquisitions);
        self.untimed_ns = self.untimed_ns.saturating_add(added.hold_ns);
        let timed = added.holds;
        (added.holds, added.hold_ns) = Default::default();
        if timed.sum() > 0 {
            // Only some holds are timed, and their total is scaled up to all holds; so is their number.
            added.holds = timed.scaled_to(self.untimed.max(timed.sum()));
            added.hold_ns = self.untimed_ns;
            (self.untimed, self.untimed_ns) = Default::default();
        }
        added
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::lock_rows::Holds;
    use proptest::prelude::*;

    fn row(acquisitions: u64, contended: u64, timed: u64) -> LockRow {
        LockRow {
            acquisitions: Some(acquisitions),
            contended,
            wait_ns: contended * 1000,
            wait_log2: vec![0, 0, contended],
            holds: Some(Holds {
                total_ns: acquisitions * 10,
                log2: vec![0, timed],
            }),
            ..LockRow::default()
        }
    }

    #[test]
    fn each_reading_adds_the_difference_to_the_highest() {
        let mut mark = Mark::default();
        assert_eq!(mark.advance(&row(10, 3, 10)).acquisitions, 10);
        assert_eq!(mark.advance(&row(8, 2, 10)), Counts::default());
        let added = mark.advance(&row(12, 4, 12));
        assert_eq!(
            (added.acquisitions, added.contended, added.wait_ns),
            (2, 1, 1000)
        );
        assert_eq!(added.waits.sum(), 1);
    }

    #[test]
    fn holds_are_as_many_as_acquisitions_once_some_are_timed() {
        let mut mark = Mark::default();
        let added = mark.advance(&row(100, 0, 0));
        assert_eq!((added.holds.sum(), added.hold_ns), (0, 0));
        let added = mark.advance(&row(160, 0, 2));
        assert_eq!((added.holds.sum(), added.hold_ns), (160, 1600));
        let added = mark.advance(&row(200, 0, 3));
        assert_eq!((added.holds.sum(), added.hold_ns), (40, 400));
    }

    #[test]
    fn what_was_put_together_counts_once() {
        let (mut a, mut b) = (Mark::default(), Mark::default());
        a.advance(&row(10, 1, 1));
        b.advance(&row(5, 1, 1));
        let mut both = Mark::together([&a, &b]);
        assert_eq!(both.advance(&row(15, 2, 2)), Counts::default());
        assert_eq!(both.advance(&row(16, 2, 2)).acquisitions, 1);
    }

    proptest! {
        #[test]
        fn the_sum_of_what_is_added_is_the_highest_reading(readings in proptest::collection::vec((0_u64..1 << 40, 0_u64..1 << 40), 1..30)) {
            let mut mark = Mark::default();
            let mut sum = Counts::default();
            for &(acquisitions, contended) in &readings {
                sum.add(&mark.advance(&row(acquisitions, contended, acquisitions / 7)));
            }
            let highest = |of: fn(&(u64, u64)) -> u64| readings.iter().map(of).max().unwrap_or(0);
            prop_assert_eq!(sum.acquisitions, highest(|it| it.0));
            prop_assert_eq!(sum.contended, highest(|it| it.1));
            prop_assert_eq!(sum.waits.sum(), highest(|it| it.1));
            prop_assert!(sum.holds.sum() <= sum.acquisitions);
        }
    }
}
