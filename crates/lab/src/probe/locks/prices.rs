//! What a pair costs, for every lock.

use crate::cell::{Calibration, Cell, Length};
use crate::contender::{self, Entry};
use crate::probe::LockPrice;
use crate::runner::{Executor, SliceFailure, Watcher};
use crate::stats::estimate;

/// How thoroughly locks are priced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockRounds {
    /// Slices for each lock.
    pub rounds: u32,
    /// Length of a slice, in nanoseconds.
    pub slice_ns: u64,
}

impl LockRounds {
    /// Slices of a whole run over so many locks.
    pub fn slices(self, locks: usize) -> usize {
        self.rounds as usize * (locks + 1)
    }
}

/// Prices an uncontended pair of each of `locks`: in every round the empty loop, then each lock
/// once, so that whatever drifts on the machine hits all alike. Ends early when the watcher says
/// so; locks that had no slice by then are left without a figure.
///
/// Kernel entries stay open: they are counted another way.
pub fn price_locks(
    locks: &[Entry],
    effort: LockRounds,
    executor: &mut dyn Executor,
    watcher: &mut dyn Watcher,
) -> Vec<LockPrice> {
    let length = Length::Time {
        ns: effort.slice_ns,
    };
    let calibration = Calibration::measure();
    let mut found = vec![Found::default(); locks.len()];
    let (mut done, total) = (0, effort.slices(locks.len()));
    'rounds: for round in 0..effort.rounds {
        let mut run = |name: &str| {
            let cell = Cell {
                round,
                ..Cell::at_rest(name, length, calibration)
            };
            watcher.next(done, total, &cell);
            done += 1;
            match watcher.interrupted() {
                true => Err(SliceFailure::Interrupted),
                false => executor.run(&cell).map(|slice| slice.ns_per_op()),
            }
        };
        let empty_ns = match run(contender::NONE) {
            Ok(Some(empty_ns)) => empty_ns,
            // A round without it has nothing to subtract.
            Ok(None) => continue,
            Err(_) => break,
        };
        for (lock, found) in locks.iter().zip(&mut found) {
            if found.failure.is_some() {
                continue;
            }
            match run(lock.name) {
                Ok(ns) => found.pairs_ns.extend(ns.map(|ns| (ns - empty_ns).max(0.0))),
                Err(SliceFailure::Interrupted) => break 'rounds,
                Err(failure) => found.failure = Some(failure.to_string()),
            }
        }
    }
    let priced = locks.iter().zip(found);
    priced.map(|(lock, found)| found.price(lock.name)).collect()
}

/// What the rounds gave for one lock.
#[derive(Clone, Debug, Default)]
struct Found {
    pairs_ns: Vec<f64>,
    failure: Option<String>,
}

impl Found {
    fn price(self, name: &str) -> LockPrice {
        LockPrice {
            name: name.to_owned(),
            uncontended_ns: estimate(&self.pairs_ns),
            kernel_entries_per_op: None,
            refused: self.failure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Part, Slice};

    /// A lock's name decides its price; one of them cannot be made.
    struct MadeUp;

    impl Executor for MadeUp {
        fn run(&mut self, cell: &Cell) -> Result<Slice, SliceFailure> {
            assert_eq!((cell.part, cell.threads), (Part::Throughput, 1));
            let ns_per_op = match cell.lock.as_str() {
                contender::NONE => 1,
                "std" => 11,
                "flock" => return Err(SliceFailure::Refused("no such file".to_owned())),
                _ => 21,
            };
            Ok(Slice {
                wall_ns: 1000 * ns_per_op,
                operations: vec![1000],
                ..Slice::default()
            })
        }
    }

    /// Presses Ctrl-C after so many slices.
    struct User(usize);

    impl Watcher for User {
        fn next(&mut self, done: usize, total: usize, _cell: &Cell) {
            assert!(done < total, "{done} of {total}");
            self.0 = self.0.saturating_sub(1);
        }

        fn interrupted(&self) -> bool {
            self.0 == 0
        }
    }

    const EFFORT: LockRounds = LockRounds {
        rounds: 7,
        slice_ns: 1_000_000,
    };

    fn locks() -> Vec<Entry> {
        ["pthread", "flock", "std"]
            .map(|name| *contender::find(name).unwrap())
            .to_vec()
    }

    #[test]
    fn the_empty_loop_is_subtracted_and_a_refusal_stays_one_lock_s_own() {
        let prices = price_locks(&locks(), EFFORT, &mut MadeUp, &mut User(usize::MAX));
        let medians: Vec<_> = prices
            .iter()
            .map(|lock| lock.uncontended_ns.map(|e| (e.median, e.n)))
            .collect();
        assert_eq!(medians, [Some((20.0, 7)), None, Some((10.0, 7))]);
        assert_eq!(prices[1].refused.as_deref(), Some("no such file"));
        assert_eq!(prices[2].refused, None);
    }

    #[test]
    fn an_interruption_leaves_what_there_is() {
        let prices = price_locks(&locks(), EFFORT, &mut MadeUp, &mut User(7));
        assert_eq!(prices[0].uncontended_ns.unwrap().n, 2);
        assert_eq!(prices[2].uncontended_ns.unwrap().n, 1);
        let nothing = price_locks(&locks(), EFFORT, &mut MadeUp, &mut User(1));
        assert!(
            nothing
                .iter()
                .all(|lock| lock.uncontended_ns.is_none() && lock.refused.is_none())
        );
    }
}
