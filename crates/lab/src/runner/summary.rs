//! From the samples of a cell to figures with intervals.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Serialize};

use crate::cell::{Cell, CutOff, LONGEST_ROUNDS, Length, Setting, Slice};
use crate::stats::{Estimate, Fairness, Histogram, Look, Modes, estimate_missing};

use super::samples::empty_ns;
use super::{RoundFigures, Samples};

/// One cell: its parameters and its measurements. `None` where nothing could be measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CellSummary {
    /// The lock, the workload, and every knob.
    #[serde(flatten)]
    pub setting: Setting,

    /// Operations of all throughput slices.
    pub operations: u64,
    /// Wall time of all throughput slices.
    pub wall_ns: u64,
    /// Wall time over operations of all threads; with one thread, the empty loop is subtracted. `null` if nothing is left after
    /// that: the operation takes less than the noise.
    pub ns_per_op: Option<Estimate>,
    /// Set if the slices' times per operation fall into two groups, in nanoseconds: then a median says little.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub modes: Option<Modes>,
    /// Throughput slices in which no operation was completed. In `ns_per_op`, each counts as one operation that takes the whole
    /// slice, which is too little.
    pub idle_slices: u64,
    /// The time subtracted from `ns_per_op`: the empty loop, or 0 with several threads, whose loops run in parallel.
    pub empty_loop_ns: f64,
    /// Operations of all threads per second, with nothing subtracted.
    pub ops_per_second: Option<Estimate>,
    /// User CPU time of all threads over operations.
    pub user_ns_per_op: Option<Estimate>,
    /// Kernel CPU time of all threads over operations.
    pub system_ns_per_op: Option<Estimate>,
    /// Times a thread went to sleep, over operations.
    pub voluntary_switches_per_op: Option<Estimate>,
    /// Times a thread was preempted, over operations.
    pub involuntary_switches_per_op: Option<Estimate>,
    /// Time from requesting the lock to acquiring it, including one reading of the clock; measured in separate slices.
    pub acquire_ns: Option<AcquireSummary>,
    /// How operations were divided among the threads.
    pub fairness: Option<FairnessSummary>,
    /// Rounds of the bystanders' loop per second.
    pub bystander_per_second: Option<Estimate>,
    /// Set if threads did not stop in time: the figures are those of the slice up to then.
    pub cut_off: Option<CutOff>,
    /// Set if the lock let two threads in at once.
    pub exclusion_broken: Option<String>,
    /// Set if the cell could not be measured, or not to the end.
    pub failure: Option<String>,
    /// The figures of each round, if they were requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rounds: Option<RoundFigures>,
}

/// Time waiting for the lock, in nanoseconds. Each quantile is taken in each round; the estimate is the median over rounds.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct AcquireSummary {
    /// Half of the acquisitions took less.
    pub p50: Option<Estimate>,
    /// One in a hundred took longer.
    pub p99: Option<Estimate>,
    /// One in a thousand took longer.
    pub p99_9: Option<Estimate>,
    /// The longest of all rounds.
    pub max: u64,
    /// Acquisitions of all rounds by power of two: entry `i` counts those of 2^i to 2^(i+1) ns.
    pub log2: Vec<u64>,
}

/// Returns the message for a number of rounds that some thread did not complete.
fn unfinished<'a>(length: Length, mut slices: impl Iterator<Item = &'a Slice>) -> Option<String> {
    let Length::Rounds { each } = length else {
        return None;
    };
    let short =
        |slice: &Slice| slice.cut_off.is_none() && slice.operations.iter().any(|done| *done < each);
    slices.any(short).then(|| {
        format!(
            "ended after {} s, before every thread had done its {each} operations",
            LONGEST_ROUNDS.as_secs()
        )
    })
}

/// Division of the operations among the threads (see [`Fairness`]). The first three are `None` where every thread had the same
/// number of operations to do: they would be 1, 1 and 0.5.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FairnessSummary {
    /// Jain's index: 1 if all threads did the same number.
    pub jain: Option<Estimate>,
    /// Operations of the least busy thread over those of the busiest.
    pub min_over_max: Option<Estimate>,
    /// Share of the busier half of the threads: 0.5 when fair.
    pub dice: Option<Estimate>,
    /// Most acquisitions in a row by one thread, over all rounds.
    pub longest_run: Option<u64>,
}

/// The knobs can be read as the summary's own fields, as in its JSON.
impl Deref for CellSummary {
    type Target = Setting;

    fn deref(&self) -> &Setting {
        &self.setting
    }
}

impl DerefMut for CellSummary {
    fn deref_mut(&mut self) -> &mut Setting {
        &mut self.setting
    }
}

impl CellSummary {
    /// Sums up `samples` of `cell`, with 95 % intervals.
    pub fn of(cell: &Cell, samples: &Samples) -> Self {
        Self::at(Look::Only, cell, samples)
    }

    /// Sums up `samples` of `cell`, with the intervals of a look.
    pub fn at(look: Look, cell: &Cell, samples: &Samples) -> Self {
        let estimate = |figures: &[f64]| estimate_missing(figures, look.misses());
        let slices: Vec<&Slice> = samples.throughput.iter().map(|(slice, _)| slice).collect();
        let over_rounds = |figure: &dyn Fn(&Slice) -> Option<f64>| {
            let figures: Vec<f64> = slices.iter().filter_map(|slice| figure(slice)).collect();
            estimate(&figures)
        };
        let resource = |pick: fn(&crate::cell::SwitchesAndCpu) -> Option<u64>| {
            over_rounds(&|slice| {
                let used = slice.resources.filter(|used| used.operations > 0)?;
                Some(pick(&used)? as f64 / used.operations as f64)
            })
        };
        let net = samples.net_ns(cell.threads);
        let empties: Vec<f64> = samples
            .throughput
            .iter()
            .map(|(_, empty)| empty_ns(*empty, cell.threads))
            .collect();
        let all = || samples.slices();
        Self {
            setting: cell.setting.clone(),
            operations: slices.iter().map(|slice| slice.total()).sum(),
            wall_ns: slices.iter().map(|slice| slice.wall_ns).sum(),
            // Every operation takes some time: a lock with a time of zero is lost in the noise of the empty loop.
            ns_per_op: estimate(&net).filter(|it| it.median > 0.0),
            modes: samples.modes(cell.threads),
            empty_loop_ns: estimate(&empties).map_or(0.0, |empty| empty.median),
            idle_slices: slices.iter().filter(|slice| slice.total() == 0).count() as u64,
            ops_per_second: over_rounds(&|slice| {
                Some(slice.ns_per_op().map_or(0.0, |ns| 1e9 / ns))
            }),
            user_ns_per_op: resource(|used| used.user_ns),
            system_ns_per_op: resource(|used| used.system_ns),
            voluntary_switches_per_op: resource(|used| used.voluntary_switches),
            involuntary_switches_per_op: resource(|used| used.involuntary_switches),
            acquire_ns: AcquireSummary::of(&samples.waiting, &estimate),
            fairness: FairnessSummary::of(cell.length, &slices, &samples.waiting, &estimate),
            bystander_per_second: over_rounds(&|slice| slice.bystander_per_second),
            cut_off: all().find_map(|slice| slice.cut_off),
            exclusion_broken: all().find_map(|slice| slice.exclusion_broken.clone()),
            failure: (samples.failure.as_ref().map(ToString::to_string))
                .or_else(|| unfinished(cell.length, all())),
            rounds: None,
        }
    }
}

/// Makes an estimate of the figures of all rounds.
type Intervals<'a> = dyn Fn(&[f64]) -> Option<Estimate> + 'a;

impl AcquireSummary {
    fn of(waiting: &[Slice], estimate: &Intervals<'_>) -> Option<Self> {
        let rounds: Vec<&Histogram> = waiting
            .iter()
            .filter_map(|slice| slice.acquire.as_ref())
            .filter(|histogram| histogram.count() > 0)
            .collect();
        let mut merged = Histogram::new();
        for histogram in &rounds {
            merged.merge(histogram);
        }
        let over_rounds = |quantile: fn(&Histogram) -> Option<u64>| {
            let figures: Vec<f64> = rounds
                .iter()
                .filter_map(|histogram| Some(quantile(histogram)? as f64))
                .collect();
            estimate(&figures)
        };
        Some(Self {
            max: merged.max()?,
            p50: over_rounds(Histogram::p50),
            p99: over_rounds(Histogram::p99),
            p99_9: over_rounds(Histogram::p99_9),
            log2: merged.log2(),
        })
    }
}

impl FairnessSummary {
    fn of(
        length: Length,
        throughput: &[&Slice],
        waiting: &[Slice],
        estimate: &Intervals<'_>,
    ) -> Option<Self> {
        let rounds: Vec<Fairness> = throughput
            .iter()
            .filter(|_| matches!(length, Length::Time { .. }))
            .filter_map(|slice| Fairness::of(&slice.operations, None))
            .collect();
        let longest_run = waiting.iter().filter_map(|slice| slice.longest_run).max();
        if rounds.is_empty() && longest_run.is_none() {
            return None;
        }
        let over_rounds = |figure: fn(&Fairness) -> f64| {
            let figures: Vec<f64> = rounds.iter().map(figure).collect();
            estimate(&figures)
        };
        Some(Self {
            jain: over_rounds(|round| round.jain),
            min_over_max: over_rounds(|round| round.min_over_max),
            dice: over_rounds(|round| round.dice),
            longest_run,
        })
    }
}
