//! The figures of each round of a cell, for ratios between cells that a summary does not contain.

use serde::{Deserialize, Serialize};

use crate::cell::{Cell, Slice};
use crate::stats::Histogram;

use super::Samples;

/// One cell's figures round by round. Entry `i` belongs to round `i`, so entries of two cells of the same run with the same index
/// belong together. `None` marks a round without a figure. A list is empty if its part was not run, and ends early if the cell
/// was given up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct RoundFigures {
    /// Wall time over operations of all threads; with one thread, the round's empty loop is subtracted.
    pub ns_per_op: Vec<Option<f64>>,
    /// User and kernel CPU time of all threads over operations.
    pub cpu_ns_per_op: Vec<Option<f64>>,
    /// Rounds of the bystanders' loop per second.
    pub bystander_per_second: Vec<Option<f64>>,
    /// CPU time of the bystanders over that of all threads, bystanders included.
    pub bystander_cpu_share: Vec<Option<f64>>,
    /// The time that one acquisition in a thousand exceeded.
    pub acquire_p99_9_ns: Vec<Option<u64>>,
    /// The longest acquisition.
    pub acquire_max_ns: Vec<Option<u64>>,
}

impl RoundFigures {
    /// Returns the figures of `samples` of `cell`.
    pub fn of(cell: &Cell, samples: &Samples) -> Self {
        let throughput = || samples.throughput.iter();
        let waiting = |figure: fn(&Histogram) -> Option<u64>| {
            let rounds = samples.waiting.iter();
            rounds
                .map(|slice| figure(slice.acquire.as_ref()?))
                .collect()
        };
        Self {
            ns_per_op: throughput()
                .map(|(slice, empty_ns)| net_ns_per_op(cell, slice, *empty_ns))
                .collect(),
            cpu_ns_per_op: throughput()
                .map(|(slice, _)| cpu_ns_per_op(slice))
                .collect(),
            bystander_per_second: throughput()
                .map(|(slice, _)| slice.bystander_per_second)
                .collect(),
            bystander_cpu_share: throughput()
                .map(|(slice, _)| bystander_cpu_share(slice))
                .collect(),
            acquire_p99_9_ns: waiting(Histogram::p99_9),
            acquire_max_ns: waiting(Histogram::max),
        }
    }
}

/// Returns the time per operation as in the summary, but nothing for rounds without an operation, which a ratio must leave out.
fn net_ns_per_op(cell: &Cell, slice: &Slice, empty_ns: Option<f64>) -> Option<f64> {
    let empty_ns = empty_ns.filter(|_| cell.threads == 1).unwrap_or(0.0);
    Some((slice.ns_per_op()? - empty_ns).max(0.0))
}

fn cpu_ns_per_op(slice: &Slice) -> Option<f64> {
    let used = slice.resources.filter(|used| used.operations > 0)?;
    Some(used.cpu_ns()? as f64 / used.operations as f64)
}

fn bystander_cpu_share(slice: &Slice) -> Option<f64> {
    let beside_ns = slice.bystander_cpu_ns? as f64;
    let share = beside_ns / (beside_ns + slice.resources?.cpu_ns()? as f64);
    share.is_finite().then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell::{Calibration, Length, SwitchesAndCpu};

    fn cell(threads: u32) -> Cell {
        let length = Length::Time { ns: 1000 };
        Cell::at_rest("std", length, Calibration { loops_per_ns: 1.0 }).with(|knobs| {
            knobs.threads = threads;
        })
    }

    fn slice(wall_ns: u64, operations: u64) -> Slice {
        Slice {
            wall_ns,
            operations: vec![operations],
            resources: Some(SwitchesAndCpu {
                operations,
                user_ns: Some(300),
                system_ns: Some(100),
                ..SwitchesAndCpu::default()
            }),
            ..Slice::default()
        }
    }

    #[test]
    fn the_empty_loop_is_taken_off_one_thread_alone() {
        let samples = Samples {
            throughput: vec![(slice(1000, 100), Some(4.0)), (slice(2000, 100), Some(5.0))],
            ..Samples::default()
        };
        let one = RoundFigures::of(&cell(1), &samples);
        assert_eq!(one.ns_per_op, [Some(6.0), Some(15.0)]);
        assert_eq!(one.cpu_ns_per_op, [Some(4.0), Some(4.0)]);
        let two = RoundFigures::of(&cell(2), &samples);
        assert_eq!(two.ns_per_op, [Some(10.0), Some(20.0)]);
        assert_eq!(two.bystander_per_second, [None, None]);
    }

    #[test]
    fn the_share_of_busy_threads_is_of_all_cpu_time() {
        let beside = Slice {
            bystander_cpu_ns: Some(1200),
            ..slice(1000, 100)
        };
        let samples = Samples {
            throughput: vec![(beside, None), (slice(1000, 100), None)],
            ..Samples::default()
        };
        let figures = RoundFigures::of(&cell(2), &samples);
        assert_eq!(figures.bystander_cpu_share, [Some(0.75), None]);
    }

    #[test]
    fn a_round_without_an_operation_keeps_its_place() {
        let samples = Samples {
            throughput: vec![(slice(1000, 0), None), (slice(1000, 10), None)],
            ..Samples::default()
        };
        let figures = RoundFigures::of(&cell(2), &samples);
        assert_eq!(figures.ns_per_op, [None, Some(100.0)]);
        assert_eq!(figures.cpu_ns_per_op, [None, Some(40.0)]);
    }

    #[test]
    fn waiting_is_told_round_by_round() {
        let waiting = |ns: &[u64]| {
            let mut acquire = Histogram::new();
            ns.iter().for_each(|ns| acquire.record(*ns));
            Slice {
                acquire: Some(acquire),
                ..Slice::default()
            }
        };
        let samples = Samples {
            waiting: vec![waiting(&[10, 7000]), waiting(&[]), waiting(&[9])],
            ..Samples::default()
        };
        let figures = RoundFigures::of(&cell(2), &samples);
        assert_eq!(figures.acquire_max_ns, [Some(7000), None, Some(9)]);
        assert_eq!(figures.acquire_p99_9_ns.len(), 3);
        assert!(figures.ns_per_op.is_empty());
    }
}
