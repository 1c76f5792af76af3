//! What a pair costs, for every lock.

use crate::cell::{Calibration, Cell, Length, Slice};
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
        self.rounds as usize * (locks + 2)
    }
}

/// Prices an uncontended pair of each of `locks`, in rounds, so that whatever drifts on the machine hits all alike. Every
/// round begins and ends with the empty loop, whose median over all rounds is subtracted. Ends early when the watcher says
/// so; locks that had no slice by then are left without a figure.
///
/// What counts is the thread's own processor time: slices are short, and being preempted is no property of a lock that
/// nobody else wants. Kernel entries stay open: they are counted another way.
pub fn price_locks(
    locks: &[Entry],
    effort: LockRounds,
    executor: &mut dyn Executor,
    watcher: &mut dyn Watcher,
) -> Vec<LockPrice> {
    let mut run = Run {
        length: Length::Time {
            ns: effort.slice_ns,
        },
        calibration: Calibration::measure(),
        done: 0,
        total: effort.slices(locks.len()),
        executor,
        watcher,
    };
    let mut empty_ns = Vec::new();
    let mut found = vec![Found::default(); locks.len()];
    'rounds: for round in 0..effort.rounds {
        empty_ns.extend(run.slice(contender::NONE, round).ok().flatten());
        for (lock, found) in locks.iter().zip(&mut found) {
            if found.failure.is_some() {
                continue;
            }
            match run.slice(lock.name, round) {
                Ok(ns) => found.gross_ns.extend(ns),
                Err(SliceFailure::Interrupted) => break 'rounds,
                Err(failure) => found.failure = Some(failure.to_string()),
            }
        }
        empty_ns.extend(run.slice(contender::NONE, round).ok().flatten());
    }
    let empty_ns = estimate(&empty_ns).map(|empty| empty.median);
    let priced = locks.iter().zip(found);
    priced
        .map(|(lock, found)| found.price(lock.name, empty_ns))
        .collect()
}

/// Slices of a run, one after the other.
struct Run<'a> {
    length: Length,
    calibration: Calibration,
    done: usize,
    total: usize,
    executor: &'a mut dyn Executor,
    watcher: &'a mut dyn Watcher,
}

impl Run<'_> {
    /// Processor time of an operation on `lock`, if there was one.
    fn slice(&mut self, lock: &str, round: u32) -> Result<Option<f64>, SliceFailure> {
        let cell = Cell {
            round,
            ..Cell::at_rest(lock, self.length, self.calibration)
        };
        self.watcher.next(self.done, self.total, &cell);
        self.done += 1;
        if self.watcher.interrupted() {
            return Err(SliceFailure::Interrupted);
        }
        Ok(cpu_ns_per_op(&self.executor.run(&cell)?))
    }
}

/// Processor time over operations, from the kernel's account of the thread.
fn cpu_ns_per_op(slice: &Slice) -> Option<f64> {
    let used = slice.resources.filter(|used| used.operations > 0)?;
    Some((used.user_ns + used.system_ns) as f64 / used.operations as f64)
}

/// What the rounds gave for one lock.
#[derive(Clone, Debug, Default)]
struct Found {
    gross_ns: Vec<f64>,
    failure: Option<String>,
}

impl Found {
    fn price(self, name: &str, empty_ns: Option<f64>) -> LockPrice {
        // Without the empty loop there is nothing to subtract, and so no price.
        let net_ns = empty_ns.map(|empty_ns| {
            let net = self.gross_ns.iter().map(|gross| gross - empty_ns);
            net.collect::<Vec<f64>>()
        });
        LockPrice {
            name: name.to_owned(),
            uncontended_ns: estimate(&net_ns.unwrap_or_default()),
            kernel_entries_per_op: None,
            refused: self.failure,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Part, SwitchesAndCpu};

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
                // Another program had the processor for most of the time.
                wall_ns: 9000 * ns_per_op,
                operations: vec![1000],
                resources: Some(SwitchesAndCpu {
                    operations: 1000,
                    user_ns: 800 * ns_per_op,
                    system_ns: 200 * ns_per_op,
                    ..SwitchesAndCpu::default()
                }),
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
        let prices = price_locks(&locks(), EFFORT, &mut MadeUp, &mut User(8));
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
