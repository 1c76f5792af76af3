//! The price of an acquisition and release, for every lock.

use crate::cell::{Calibration, Cell, Length, Slice};
use crate::contender::{self, Entry};
use crate::probe::LockPrice;
use crate::probe::series::LEAST_ROUNDS;
use crate::runner::{Executor, MOST_ROUNDS, SliceFailure, Watcher};
use crate::stats::{Estimate, estimate};

/// How often a slice without any operation is run again: on a busy machine a millisecond may pass without a turn for the thread.
const MOST_REPEATS: u32 = 2;

/// How thoroughly locks are priced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LockRounds {
    /// Slices for each lock.
    pub rounds: u32,
    /// Length of a slice, in nanoseconds.
    pub slice_ns: u64,
}

impl LockRounds {
    /// Returns the number of slices in a whole run over `locks` locks.
    pub fn slices(self, locks: usize) -> usize {
        self.rounds as usize * (locks + 2)
    }
}

/// Prices an uncontended acquisition and release of each of `locks`, in rounds, so that drift of the machine affects all alike.
/// Every round begins and ends with the empty loop, whose mean is subtracted from that round's slices; its error, too, is thus in
/// the interval. Ends early when the watcher says so. Locks that had fewer than six whole rounds by then have no figure, since
/// fewer give no interval of 95 %. A lock whose price is not above zero gets further rounds. If it still is not, it has no price.
///
/// The price is the thread's own processor time: slices are short, and being preempted is not a property of a lock that nobody
/// else wants. Where the account of that time is too coarse, the price is wall time, and says so. Kernel entries are not filled
/// in: they are counted another way.
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
    let mut found: Vec<Found> = locks.iter().map(|lock| Found::nothing(lock.name)).collect();
    for round in 0..MOST_ROUNDS * effort.rounds {
        let is_again = round >= effort.rounds;
        let mut wanted: Vec<&mut Found> = found
            .iter_mut()
            .filter(|lock| !is_again || lock.is_lost_in_noise())
            .collect();
        if wanted.is_empty() {
            break;
        }
        if is_again {
            run.total += wanted.len() + 2;
        }
        if run.round(round, &mut wanted).is_err() {
            break;
        }
    }
    found.into_iter().map(Found::price).collect()
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

/// The user stopped the run.
struct Interrupted;

impl Run<'_> {
    /// Runs one slice of each of these locks, between two slices of the empty loop.
    fn round(&mut self, round: u32, locks: &mut [&mut Found]) -> Result<(), Interrupted> {
        let before = self.slice(contender::NONE, round).ok().flatten();
        let mut gross = vec![None; locks.len()];
        for (lock, gross) in locks.iter_mut().zip(&mut gross) {
            if lock.failure.is_some() {
                continue;
            }
            match self.slice(lock.name, round) {
                Ok(per_op) => *gross = per_op,
                Err(SliceFailure::Interrupted) => return Err(Interrupted),
                Err(failure) => lock.failure = Some(failure.to_string()),
            }
        }
        let after = self.slice(contender::NONE, round).ok().flatten();
        // Without the empty loop there is nothing to subtract, and so no price.
        let (Some(before), Some(after)) = (before, after) else {
            return Ok(());
        };
        let empty_ns = (before.ns + after.ns) / 2.0;
        for (lock, gross) in locks.iter_mut().zip(gross) {
            let Some(gross) = gross else { continue };
            lock.net_ns.push(gross.ns - empty_ns);
            lock.by_wall_clock |= gross.by_wall_clock;
        }
        Ok(())
    }

    /// Returns the time of an operation on `lock`, if there was one.
    fn slice(&mut self, lock: &str, round: u32) -> Result<Option<PerOp>, SliceFailure> {
        let cell = Cell {
            round,
            ..Cell::at_rest(lock, self.length, self.calibration)
        };
        self.watcher.next(self.done, self.total, &cell);
        self.done += 1;
        if self.watcher.interrupted() {
            return Err(SliceFailure::Interrupted);
        }
        let mut measured = per_op(&self.executor.run(&cell)?);
        // A slice whose thread never ran says nothing about the lock.
        for _ in 0..MOST_REPEATS {
            if measured.is_some() || self.watcher.interrupted() {
                break;
            }
            measured = per_op(&self.executor.run(&cell)?);
        }
        Ok(measured)
    }
}

/// Time of an operation, and the account that it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
struct PerOp {
    ns: f64,
    by_wall_clock: bool,
}

/// Returns processor time over operations, from the kernel's account of the thread; where that is too coarse, the slice's own
/// time.
fn per_op(slice: &Slice) -> Option<PerOp> {
    let used = slice.resources.filter(|used| used.operations > 0)?;
    let by_account = used.cpu_ns().map(|ns| ns as f64 / used.operations as f64);
    Some(PerOp {
        ns: by_account.or_else(|| slice.ns_per_op())?,
        by_wall_clock: by_account.is_none(),
    })
}

/// The results of the rounds for one lock.
#[derive(Clone, Debug)]
struct Found {
    name: &'static str,
    net_ns: Vec<f64>,
    by_wall_clock: bool,
    failure: Option<String>,
}

impl Found {
    const fn nothing(name: &'static str) -> Self {
        Self {
            name,
            net_ns: Vec::new(),
            by_wall_clock: false,
            failure: None,
        }
    }

    fn measured(&self) -> Option<Estimate> {
        estimate(&self.net_ns).filter(|_| self.net_ns.len() >= LEAST_ROUNDS)
    }

    fn is_lost_in_noise(&self) -> bool {
        self.measured().is_some_and(|net_ns| net_ns.median <= 0.0)
    }

    fn price(self) -> LockPrice {
        let rounds = self.net_ns.len();
        let measured = self.measured();
        // Nothing costs less than nothing.
        let uncontended_ns = measured.filter(|net_ns| net_ns.median > 0.0);
        let refused = match (uncontended_ns, measured) {
            (Some(_), _) => self.failure,
            (None, Some(net_ns)) => Some(format!(
                "less than the noise: {:.1} to {:.1} ns in {rounds} rounds",
                net_ns.low, net_ns.high
            )),
            (None, None) => self
                .failure
                .or_else(|| Some(format!("stopped after {rounds} of {LEAST_ROUNDS} rounds"))),
        };
        LockPrice {
            name: self.name.to_owned(),
            uncontended_ns,
            by_wall_clock: self.by_wall_clock,
            kernel_entries_per_op: None,
            refused,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Part, SwitchesAndCpu};

    /// The lock's name and the round determine its time; one lock cannot be made.
    struct MadeUp;

    impl Executor for MadeUp {
        fn run(&mut self, cell: &Cell) -> Result<Slice, SliceFailure> {
            assert_eq!((cell.part, cell.threads), (Part::Throughput, 1));
            // The machine becomes slower from round to round, for all alike.
            let drift = u64::from(cell.round);
            let ns_per_op = drift
                + match cell.lock.as_str() {
                    contender::NONE => 1,
                    "std" => 11,
                    "ticket" => return Err(SliceFailure::Refused("no such file".to_owned())),
                    _ => 21,
                };
            Ok(Slice {
                // Another program had the processor for most of the time.
                wall_ns: 9000 * ns_per_op,
                operations: vec![1000],
                resources: Some(SwitchesAndCpu {
                    operations: 1000,
                    user_ns: Some(800 * ns_per_op),
                    system_ns: Some(200 * ns_per_op),
                    ..SwitchesAndCpu::default()
                }),
                ..Slice::default()
            })
        }
    }

    /// The empty loop takes longer than every lock, up to this round.
    struct Noisy {
        until_round: u32,
        slices: usize,
    }

    impl Executor for Noisy {
        fn run(&mut self, cell: &Cell) -> Result<Slice, SliceFailure> {
            self.slices += 1;
            let mut quiet = cell.clone();
            quiet.round = 0;
            let is_hidden = cell.lock == contender::NONE && cell.round < self.until_round;
            if is_hidden {
                quiet.lock = "std".to_owned();
            }
            MadeUp.run(&quiet)
        }
    }

    #[test]
    fn a_lock_that_the_noise_hides_gets_further_rounds_and_no_other_does() {
        let mut noisy = Noisy {
            until_round: 7,
            slices: 0,
        };
        let locks = ["parking_lot", "std"].map(|name| *contender::find(name).unwrap());
        let prices = price_locks(&locks, EFFORT, &mut noisy, &mut User(usize::MAX));
        let price = |at: usize| prices[at].uncontended_ns.unwrap();
        assert_eq!((price(0).median, price(0).n), (10.0, 7));
        // 0 ns in seven rounds and 10 ns in seven more: the first median above zero, with both in its interval.
        let std = price(1);
        assert_eq!((std.low, std.median, std.high, std.n), (0.0, 5.0, 10.0, 14));
        assert_eq!(noisy.slices, 7 * 4 + 7 * 3);
    }

    #[test]
    fn what_stays_lost_in_the_noise_has_no_price() {
        let mut noisy = Noisy {
            until_round: u32::MAX,
            slices: 0,
        };
        let locks = ["std"].map(|name| *contender::find(name).unwrap());
        let prices = price_locks(&locks, EFFORT, &mut noisy, &mut User(usize::MAX));
        assert_eq!(prices[0].uncontended_ns, None);
        assert_eq!(
            prices[0].refused.as_deref(),
            Some("less than the noise: 0.0 to 0.0 ns in 28 rounds")
        );
    }

    /// Presses Ctrl-C after this many slices.
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
        ["parking_lot", "ticket", "std"]
            .map(|name| *contender::find(name).unwrap())
            .to_vec()
    }

    #[test]
    fn the_empty_loop_of_the_round_is_subtracted_and_a_refusal_stays_one_lock_s_own() {
        let prices = price_locks(&locks(), EFFORT, &mut MadeUp, &mut User(usize::MAX));
        let medians: Vec<_> = prices
            .iter()
            .map(|lock| lock.uncontended_ns.map(|e| (e.median, e.n)))
            .collect();
        assert_eq!(medians, [Some((20.0, 7)), None, Some((10.0, 7))]);
        let std = prices[2].uncontended_ns.unwrap();
        assert_eq!((std.low, std.high), (10.0, 10.0));
        assert_eq!(prices[1].refused.as_deref(), Some("no such file"));
        assert_eq!(prices[2].refused, None);
    }

    #[test]
    fn an_interruption_leaves_what_there_is() {
        // Five slices in the first round, four in each later one, since one lock is given up.
        let six_rounds = 5 + 5 * 4;
        let prices = price_locks(&locks(), EFFORT, &mut MadeUp, &mut User(six_rounds + 3));
        assert_eq!(prices[0].uncontended_ns.unwrap().n, 6);
        assert_eq!(prices[2].uncontended_ns.unwrap().n, 6);
        for slices in [1, six_rounds - 1] {
            let too_few = price_locks(&locks(), EFFORT, &mut MadeUp, &mut User(slices));
            for lock in too_few {
                let reason = lock.refused.unwrap();
                assert_eq!(lock.uncontended_ns, None, "{reason}");
                assert!(
                    reason.starts_with("stopped after") || reason == "no such file",
                    "{reason}"
                );
            }
        }
    }

    #[test]
    fn where_the_account_of_a_thread_is_too_coarse_the_wall_clock_counts_and_is_named() {
        let mut slice = MadeUp
            .run(&Cell::at_rest(
                "std",
                Length::Time { ns: 1 },
                Calibration::measure(),
            ))
            .unwrap();
        let by_account = per_op(&slice).unwrap();
        assert!(!by_account.by_wall_clock);
        slice.resources.as_mut().unwrap().user_ns = None;
        let by_wall = per_op(&slice).unwrap();
        assert_eq!(by_wall.ns, 9.0 * by_account.ns);
        assert!(by_wall.by_wall_clock);
        // Threads that were cut off have no account, and no price.
        slice.resources = None;
        assert_eq!(per_op(&slice), None);
    }
}
