//! Short batches of many probes, in a new random order each round.

use std::time::{Duration, Instant};

use crate::random::Random;

use super::series::{Batch, LEAST_ROUNDS, Series};
use super::session::Session;

/// Units in a probe's first batch, which only shows how long a unit takes.
const FIRST_UNITS: u64 = 200;
/// Fewer units would let one stray switch spoil the count of a batch.
const LEAST_UNITS: u64 = 200;
const MOST_UNITS: u64 = 1 << 20;
/// Attempts at a batch per round until the kernel's counts fit.
const TRIES: u32 = 3;

/// Runs a batch of the given number of units. The error says why the probe cannot run here.
type Run<'a> = Box<dyn Fn(&Session<'_>, u64) -> Result<Batch, String> + 'a>;

/// One thing to measure.
pub(super) struct Probe<'a> {
    title: String,
    expected: Option<f64>,
    run: Run<'a>,
}

impl<'a> Probe<'a> {
    /// Creates a probe that must make `expected` switches per unit, all its threads together.
    pub fn new(
        title: impl Into<String>,
        expected: Option<f64>,
        run: impl Fn(&Session<'_>, u64) -> Result<Batch, String> + 'a,
    ) -> Probe<'a> {
        Probe {
            title: title.into(),
            expected,
            run: Box::new(run),
        }
    }

    /// Creates a probe that cannot run here, with the reason.
    pub fn refused(title: impl Into<String>, reason: impl Into<String>) -> Probe<'a> {
        let reason = reason.into();
        Probe::new(title, None, move |_, _| Err(reason.clone()))
    }
}

impl Session<'_> {
    /// Runs all probes in rounds and returns the series of each, in the order of `probes`.
    ///
    /// Stops between rounds once `budget` is used up, but not before six rounds, the fewest that give an interval. On a machine
    /// that is too busy for that, it stops at the latest after four times the budget, and a probe with too few rounds by then
    /// says so. The user may stop it between batches.
    pub fn interleave(&self, probes: &[Probe<'_>], budget: Duration) -> Vec<Series> {
        let start = Instant::now();
        let limit = self.limit(budget);
        let rounds = self.rounds();
        let mut random = Random::new(probes.len() as u32);
        let mut series: Vec<Series> = Vec::new();
        let mut units = Vec::new();
        for probe in probes {
            self.progress(&probe.title);
            let mut one = Series::new(probe.expected);
            if self.interrupted() {
                one.refuse("stopped before it had begun");
                units.push(0);
                series.push(one);
                continue;
            }
            if start.elapsed() >= limit {
                // On a busy machine, the first batches alone may take as long as the whole list was meant to take.
                units.push(0);
                series.push(one);
                continue;
            }
            units.push(match (probe.run)(self, FIRST_UNITS) {
                Ok(first) => {
                    one.look(first);
                    self.units_for(first.ns)
                }
                Err(reason) => {
                    one.refuse(reason);
                    0
                }
            });
            series.push(one);
        }
        let mut order: Vec<usize> = (0..probes.len()).collect();
        for round in 0..rounds {
            if round >= LEAST_ROUNDS && start.elapsed() >= budget {
                break;
            }
            shuffle(&mut order, &mut random);
            for &index in &order {
                if self.interrupted() {
                    return series;
                }
                if start.elapsed() >= limit {
                    series.iter_mut().for_each(|one| one.out_of_time(limit));
                    return series;
                }
                self.progress(&probes[index].title);
                self.one_round(&probes[index], units[index], &mut series[index]);
            }
        }
        series
    }

    fn one_round(&self, probe: &Probe<'_>, units: u64, series: &mut Series) {
        if series.is_refused() {
            return;
        }
        for _ in 0..TRIES {
            match (probe.run)(self, units) {
                Ok(batch) if series.accepts(&batch) => return series.push(Some(batch)),
                Ok(batch) => series.push_off(batch),
                Err(reason) => return series.refuse(reason),
            }
        }
        series.push(None);
    }

    /// Returns the number of units that fill the time of a batch.
    fn units_for(&self, unit_ns: f64) -> u64 {
        let wanted = self.batch_ns() / unit_ns.max(0.1);
        (wanted as u64).clamp(LEAST_UNITS, MOST_UNITS)
    }
}

/// Shuffles by the method of Fisher and Yates.
fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last as u64 + 1) as usize);
    }
}
