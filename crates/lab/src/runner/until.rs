//! Adding rounds until intervals are narrow enough.
//!
//! After the first rounds, the cells whose intervals are still too wide get as many rounds again, and so on. Each look at the rounds
//! has stricter intervals ([`Look`]), so those that are reported miss the true median in at most 5 % of the cases, although the run
//! ends when they look good.

use std::time::{Duration, Instant};

use crate::cell::{Cell, Part, Setting};
use crate::stats::{Look, estimate_missing, least_samples};

use super::rounds::{Batch, again_and_placement};
use super::{Executor, Measured, Samples, Watcher};

/// When to stop adding rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Until {
    /// Both bounds of each time per operation, or median wait if only waiting is measured, are at most this share of the median
    /// away from it.
    pub share: f64,
    /// The time within which all rounds must fit, if any.
    pub budget: Option<Duration>,
}

/// Runs all cells as [`measure`](super::measure) and [`measure_part`](super::measure_part) do, `repeat` times; then adds rounds to
/// the settings of those that are too wide, until none is, or the last look or the budget is reached. The locks of a setting get
/// the same rounds.
pub fn measure_until(
    cells: &[Cell],
    part: Option<Part>,
    repeat: u32,
    until: Until,
    executor: &mut dyn Executor,
    watcher: &mut dyn Watcher,
) -> Measured {
    let began = Instant::now();
    let mut batch = Batch {
        part,
        first_round: 0,
        repeat,
        only_these_rounds: false,
    };
    let mut measured = batch.play(cells, executor, watcher);
    let mut slices = f64::from(repeat) * cells.len() as f64;
    let mut took = began.elapsed();
    let mut look = Look::OfSeveral(1);
    measured.looks = vec![look; cells.len()];
    let mut open: Vec<usize> = (0..cells.len()).collect();
    loop {
        open = still_open(&open, cells, &measured.samples, part, look, until.share);
        let Some(next) = look.next() else { break };
        if open.is_empty() || measured.partial {
            break;
        }
        batch = Batch {
            first_round: batch.first_round + batch.repeat,
            repeat: batch.first_round + batch.repeat,
            only_these_rounds: true,
            ..batch
        };
        let more_slices = f64::from(batch.repeat) * open.len() as f64;
        let expected = took.mul_f64(more_slices / slices);
        if (until.budget).is_some_and(|budget| began.elapsed() + expected > budget) {
            break;
        }
        let subset: Vec<Cell> = open.iter().map(|index| cells[*index].clone()).collect();
        let start = Instant::now();
        let more = batch.play(&subset, executor, watcher);
        (took, slices) = (start.elapsed(), more_slices);
        measured.partial |= more.partial;
        look = next;
        for (index, samples) in open.iter().zip(more.samples) {
            measured.samples[*index].extend(samples);
            measured.looks[*index] = look;
        }
    }
    again_and_placement(&mut measured);
    measured
}

/// Returns those of the `open` cells that need more rounds: all of a setting in which one is too wide.
fn still_open(
    open: &[usize],
    cells: &[Cell],
    samples: &[Samples],
    part: Option<Part>,
    look: Look,
    share: f64,
) -> Vec<usize> {
    let wide: Vec<Setting> = (open.iter())
        .filter(|index| is_wide(&cells[**index], &samples[**index], part, look, share))
        .map(|index| without_lock(&cells[*index]))
        .collect();
    let needs_more = |index: &&usize| wide.contains(&without_lock(&cells[**index]));
    open.iter().filter(needs_more).copied().collect()
}

fn without_lock(cell: &Cell) -> Setting {
    Setting {
        lock: String::new(),
        ..cell.setting.clone()
    }
}

/// Whether more rounds may make the cell's interval narrow enough. A cell without a figure, or lost in the noise, stays as it is.
fn is_wide(cell: &Cell, samples: &Samples, part: Option<Part>, look: Look, share: f64) -> bool {
    if samples.failure.is_some() || samples.slices().any(|slice| slice.cut_off.is_some()) {
        return false;
    }
    let figures = match part {
        Some(Part::Waiting) => samples.median_waits_ns(),
        _ => samples.net_ns(cell.threads),
    };
    let Some(estimate) = estimate_missing(&figures, look.misses()) else {
        return false;
    };
    let few = figures.len() < least_samples(look.misses());
    estimate
        .half_width()
        .is_some_and(|width| few || width > share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Calibration, Length, Slice};
    use crate::random::Random;
    use crate::runner::SliceFailure;

    /// Times per operation drawn by lock: `noisy` by a factor of up to 3, `steady` within 1 %.
    struct Drawn {
        random: Random,
        slices: usize,
    }

    impl Executor for Drawn {
        fn run(&mut self, cell: &Cell) -> Result<Slice, SliceFailure> {
            self.slices += 1;
            let unit = self.random.unit();
            let ns = match (cell.lock.as_str(), cell.threads) {
                ("std", 4) => 100.0 * (1.0 + 2.0 * unit * unit * unit),
                ("broken", _) => return Err(SliceFailure::Refused("no".to_owned())),
                _ => 100.0 * (1.0 + 0.01 * unit),
            };
            Ok(Slice {
                wall_ns: (ns * 1000.0) as u64,
                operations: vec![1000],
                ..Slice::default()
            })
        }
    }

    struct Silent;

    impl Watcher for Silent {
        fn next(&mut self, _: usize, _: usize, _: &Cell) {}

        fn interrupted(&self) -> bool {
            false
        }
    }

    fn cells(locks: &[&str], threads: &[u32]) -> Vec<Cell> {
        let cell = |lock: &&str, threads: u32| {
            let length = Length::Time { ns: 1000 };
            Cell::at_rest(lock, length, Calibration { loops_per_ns: 1.0 })
                .with(|knobs| knobs.threads = threads)
        };
        (threads.iter())
            .flat_map(|threads| locks.iter().map(|lock| cell(lock, *threads)))
            .collect()
    }

    fn run(cells: &[Cell], until: Until) -> Measured {
        let mut drawn = Drawn {
            random: Random::new(3),
            slices: 0,
        };
        let part = Some(Part::Throughput);
        measure_until(cells, part, 7, until, &mut drawn, &mut Silent)
    }

    const FIVE_PERCENT: Until = Until {
        share: 0.05,
        budget: None,
    };

    #[test]
    fn only_settings_with_a_wide_cell_get_more_rounds() {
        let cells = cells(&["std", "futex3"], &[2, 4]);
        let measured = run(&cells, FIVE_PERCENT);
        let rounds: Vec<usize> = (measured.samples.iter())
            .map(|samples| samples.throughput.len())
            .collect();
        assert_eq!(rounds[0], 7);
        assert_eq!(rounds[1], 7);
        assert!(rounds[2] > 7 && rounds[2] == rounds[3], "{rounds:?}");
        assert_eq!(rounds[2], 7 << (measured.look(2).number() - 1));
        // The A/A pairs are those of all rounds.
        let pairs: Vec<usize> = measured.same_again.iter().map(|(_, it)| it.n).collect();
        assert_eq!(pairs, [7, rounds[2]]);
    }

    #[test]
    fn the_run_ends_with_narrow_intervals_or_at_the_last_look() {
        let cells = cells(&["std"], &[4]);
        let wide = run(
            &cells,
            Until {
                share: 0.5,
                ..FIVE_PERCENT
            },
        );
        let estimate = |measured: &Measured| {
            let figures = measured.samples[0].net_ns(4);
            estimate_missing(&figures, measured.look(0).misses()).unwrap()
        };
        assert!(estimate(&wide).half_width().unwrap() <= 0.5);
        let never = run(
            &cells,
            Until {
                share: 1e-6,
                ..FIVE_PERCENT
            },
        );
        assert_eq!(never.look(0), Look::OfSeveral(Look::LAST));
        assert_eq!(never.samples[0].throughput.len(), 7 << 5);
        assert!(never.samples[0].throughput.len() > wide.samples[0].throughput.len());
    }

    #[test]
    fn a_budget_that_is_spent_and_cells_without_figures_end_it() {
        let budget = Some(Duration::ZERO);
        let spent = run(
            &cells(&["std"], &[4]),
            Until {
                budget,
                ..FIVE_PERCENT
            },
        );
        assert_eq!(spent.look(0), Look::OfSeveral(1));
        assert_eq!(spent.samples[0].throughput.len(), 7);
        let broken = run(&cells(&["broken"], &[2]), FIVE_PERCENT);
        assert_eq!(broken.look(0), Look::OfSeveral(1));
    }

    /// The intervals that are reported miss the true median in at most 5 % of the runs, although the runs end when they look good.
    #[test]
    fn intervals_at_the_end_miss_as_seldom_as_is_stated() {
        const TRIALS: u32 = 2_000;
        // The median of 1 + 2 u^3 for u uniform.
        let truth = 100.0 * 1.25;
        let cells = cells(&["std"], &[4]);
        let mut drawn = Drawn {
            random: Random::new(9),
            slices: 0,
        };
        let missed = (0..TRIALS).filter(|_| {
            let part = Some(Part::Throughput);
            let until = Until {
                share: 0.3,
                budget: None,
            };
            let measured = measure_until(&cells, part, 7, until, &mut drawn, &mut Silent);
            let figures = measured.samples[0].net_ns(4);
            let seen = estimate_missing(&figures, measured.look(0).misses()).unwrap();
            seen.low > truth || seen.high < truth
        });
        let missed = missed.count() as f64 / f64::from(TRIALS);
        println!("{:.1} % missed", missed * 100.0);
        assert!(missed <= 0.05, "{missed}");
        // Rounds were added in most of them.
        assert!(drawn.slices > 8 * TRIALS as usize);
    }
}
