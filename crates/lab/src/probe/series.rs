//! The results of one probe's batches, round by round.

use std::time::Duration;

use crate::stats::{Estimate, estimate};

use super::Switches;
use super::count::{Count, fits, refusal};
use super::paired::paired;

/// A figure needs at least this many rounds.
pub(super) const LEAST_ROUNDS: usize = 6;

/// One batch: a number of units of a probe in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Batch {
    /// Units in the batch.
    pub units: u64,
    /// Time of a unit, in nanoseconds.
    pub ns: f64,
    /// Context switches in a unit, all threads of the probe together.
    pub switches: Count,
}

/// The batches of a probe by round, so that batches of different probes in the same round can be compared.
#[derive(Clone, Debug)]
pub(super) struct Series {
    expected: Option<f64>,
    first: Option<Batch>,
    rounds: Vec<Option<Batch>>,
    off: Vec<Batch>,
    refused: Option<String>,
    over_after: Option<Duration>,
}

impl Series {
    /// Creates the series of a probe that must make `expected` switches per unit. With `None`, switches are counted and any count
    /// is accepted.
    pub fn new(expected: Option<f64>) -> Series {
        Series {
            expected,
            first: None,
            rounds: Vec::new(),
            off: Vec::new(),
            refused: None,
            over_after: None,
        }
    }

    /// Creates the series of a probe that cannot run here.
    #[cfg(test)]
    pub fn refused(expected: Option<f64>, reason: impl Into<String>) -> Series {
        Series {
            refused: Some(reason.into()),
            ..Series::new(expected)
        }
    }

    /// Ten rounds of the same batch.
    #[cfg(test)]
    pub fn steady(expected: Option<f64>, ns: f64, involuntary: f64) -> Series {
        let switches = Switches {
            voluntary: 0.0,
            involuntary,
        };
        Series {
            rounds: vec![
                Some(Batch {
                    units: 1000,
                    ns,
                    switches: switches.into(),
                });
                10
            ],
            ..Series::new(expected)
        }
    }

    /// Returns the number of switches that a unit must make.
    pub fn expected(&self) -> Option<f64> {
        self.expected
    }

    /// Whether the kernel's counts support this batch.
    pub fn accepts(&self, batch: &Batch) -> bool {
        let ns_is_one = batch.ns.is_finite() && batch.ns > 0.0;
        ns_is_one
            && match (self.expected, batch.switches.total) {
                (Some(expected), Some(counted)) => fits(expected, counted, batch.units),
                _ => true,
            }
    }

    /// Records the batch before the rounds, which shows how long a unit takes. No figure is based on it.
    pub fn look(&mut self, batch: Batch) {
        self.first = Some(batch);
    }

    /// Records a batch that was not accepted and is to be run again.
    pub fn push_off(&mut self, batch: Batch) {
        self.off.push(batch);
    }

    /// Records the final result of this round.
    pub fn push(&mut self, batch: Option<Batch>) {
        self.rounds.push(batch);
    }

    /// Records that the probe cannot go on, and why.
    pub fn refuse(&mut self, reason: impl Into<String>) {
        self.refused = Some(reason.into());
    }

    /// Records that the time for the rounds of all probes is used up. A probe with too few rounds gets no more.
    pub fn out_of_time(&mut self, limit: Duration) {
        self.over_after = Some(limit);
    }

    /// Whether the probe has been given up.
    pub fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// Returns the result of each round.
    pub fn rounds(&self) -> &[Option<Batch>] {
        &self.rounds
    }

    fn accepted(&self) -> impl Iterator<Item = &Batch> {
        self.rounds.iter().flatten()
    }

    /// Returns why there is no figure: the probe cannot run, the counts were off too often, or it was stopped too early.
    pub fn refusal(&self) -> Option<String> {
        if let Some(reason) = &self.refused {
            return Some(reason.clone());
        }
        let good = self.accepted().count();
        // More than half of all batches, repeated ones included: a few picked out of many do not represent the probe.
        if good > self.off.len() && good >= LEAST_ROUNDS {
            return None;
        }
        let batches = good + self.off.len();
        match (self.expected, self.counted()) {
            (Some(expected), Some(counted)) if !self.off.is_empty() => {
                let units = self.off[0].units;
                let off = self.off.len();
                Some(refusal(expected, counted, units, off, batches))
            }
            _ => Some(match self.over_after {
                Some(limit) => format!(
                    "{good} of {LEAST_ROUNDS} rounds in {} s: the machine is too busy",
                    limit.as_secs_f64()
                ),
                None => format!("stopped after {good} of {LEAST_ROUNDS} rounds"),
            }),
        }
    }

    /// Returns the switches per unit, by kind. They are those of the accepted batches. If the refused batches are the reason why
    /// the figure is missing, they are those of the refused batches; if there was time for one batch only, those of that batch.
    /// `None` also where the kinds are not distinguished.
    pub fn switches(&self) -> Option<Switches> {
        Some(Switches {
            voluntary: self.middle(|count| Some(count.kinds?.voluntary))?,
            involuntary: self.middle(|count| Some(count.kinds?.involuntary))?,
        })
    }

    /// Returns the same, both kinds together. `None` also where switches were not counted.
    pub fn counted(&self) -> Option<f64> {
        match self.switches() {
            Some(switches) => Some(switches.total()),
            None => self.middle(|count| count.total),
        }
    }

    /// Returns the median over the batches that count.
    fn middle(&self, of: impl Fn(Count) -> Option<f64>) -> Option<f64> {
        let good = self.accepted().count();
        let batches: Vec<&Batch> = if good > self.off.len() {
            self.accepted().collect()
        } else if self.off.is_empty() {
            self.first.iter().collect()
        } else {
            self.off.iter().collect()
        };
        let values: Option<Vec<f64>> = batches.iter().map(|batch| of(batch.switches)).collect();
        estimate(&values?).map(|estimate| estimate.median)
    }

    /// Returns a sentence on batches that had to be run again.
    pub fn repeated(&self) -> Option<String> {
        let good = self.accepted().count();
        (self.refusal().is_none() && !self.off.is_empty()).then(|| {
            format!(
                "{} of {} batches left out since the kernel counted other switches",
                self.off.len(),
                good + self.off.len()
            )
        })
    }

    /// Returns the time of a unit.
    ///
    /// # Errors
    /// Why there is no figure.
    pub fn ns(&self) -> Result<Estimate, String> {
        paired([self], |[batch]| batch.ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(ns: f64, involuntary: f64) -> Batch {
        Batch {
            units: 1000,
            ns,
            switches: Count::from(Switches {
                voluntary: 0.0,
                involuntary,
            }),
        }
    }

    /// Fills a series as the rounds do: an accepted batch becomes the round's, any other is left out.
    fn filled(expected: Option<f64>, counts: &[f64]) -> Series {
        let mut series = Series::new(expected);
        for (round, count) in counts.iter().enumerate() {
            let one = batch(100.0 + round as f64, *count);
            if series.accepts(&one) {
                series.push(Some(one));
            } else {
                series.push_off(one);
                series.push(None);
            }
        }
        series
    }

    #[test]
    fn wrong_counts_give_no_figure() {
        let series = filled(Some(4.0), &[10.0; 15]);
        let reason = series.ns().unwrap_err();
        assert!(
            reason.contains("counted 10.000") && reason.contains("4.000 are expected"),
            "{reason}"
        );
        assert_eq!(series.switches().unwrap().total(), 10.0);
    }

    #[test]
    fn just_off_is_off() {
        assert!(filled(Some(2.0), &[2.05; 15]).ns().is_err());
        assert!(filled(Some(2.0), &[2.03; 15]).ns().is_ok());
        assert!(filled(Some(0.0), &[0.003; 15]).ns().is_err());
        assert!(filled(Some(0.0), &[0.002; 15]).ns().is_ok());
    }

    #[test]
    fn a_few_disturbed_batches_are_left_out_and_told() {
        let mut counts = [2.0; 15];
        counts[3] = 2.4;
        counts[9] = 1.0;
        let series = filled(Some(2.0), &counts);
        assert_eq!(series.ns().unwrap().n, 13);
        let note = series.repeated().unwrap();
        assert!(note.contains("2 of 15"), "{note}");
    }

    #[test]
    fn what_has_to_be_picked_out_of_many_is_refused() {
        let counts: Vec<f64> = (0..20)
            .map(|i| if i % 2 == 0 { 2.0 } else { 1.0 })
            .collect();
        assert!(filled(Some(2.0), &counts).ns().is_err());
    }

    #[test]
    fn without_an_expectation_any_count_will_do() {
        assert_eq!(filled(None, &[0.3; 8]).ns().unwrap().n, 8);
    }

    #[test]
    fn what_had_no_time_says_so_and_has_the_counts_of_its_first_batch() {
        let mut series = Series::new(Some(1.0));
        assert_eq!(series.switches(), None);
        series.look(batch(3.0e6, 1.4));
        series.out_of_time(Duration::from_millis(5200));
        assert_eq!(
            series.ns().unwrap_err(),
            "0 of 6 rounds in 5.2 s: the machine is too busy"
        );
        assert_eq!(series.switches().unwrap().involuntary, 1.4);
        // A probe that had enough rounds by then has a figure, from these rounds alone.
        for round in 0..6 {
            series.push(Some(batch(100.0 + f64::from(round), 1.0)));
        }
        assert_eq!(series.ns().unwrap().n, 6);
        assert_eq!(series.switches().unwrap().involuntary, 1.0);
    }

    #[test]
    fn too_few_rounds_are_no_figure() {
        let reason = filled(Some(2.0), &[2.0; 5]).ns().unwrap_err();
        assert!(reason.contains("stopped after 5"), "{reason}");
    }
}
