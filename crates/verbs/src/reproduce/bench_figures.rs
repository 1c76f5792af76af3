//! The figures of a cell that `bench` measured, one per slice.

use locktoll_lab::cell::{Cell, Length, Slice, SwitchesAndCpu};
use locktoll_lab::runner::Samples;
use locktoll_lab::stats::{Fairness, Histogram};

use super::figure::Figure;

/// Returns one figure of each slice. With `net`, the empty loop of the same round is subtracted from times per operation.
///
/// # Errors
/// If a slice has no such figure, or no slice was run.
pub(super) fn figures(
    cell: &Cell,
    samples: &Samples,
    figure: Figure,
    net: bool,
    cpus: u32,
) -> Result<Vec<f64>, String> {
    let figures: Vec<Option<f64>> = match of_slice(figure, cell.length, net, cpus) {
        OfSlice::Throughput(of) => samples
            .throughput
            .iter()
            .map(|(slice, empty)| of(slice, *empty))
            .collect(),
        OfSlice::Waiting(of) => samples.waiting.iter().map(of).collect(),
        OfSlice::None => {
            return Err(
                "a bench run has no figures of the whole system; a live run has".to_owned(),
            );
        }
    };
    let missing = figures.iter().filter(|figure| figure.is_none()).count();
    match (figures.len(), missing) {
        (0, _) => Err(format!("{} was not measured", cell.lock)),
        (_, 0) => Ok(figures.into_iter().flatten().collect()),
        (all, _) => Err(format!(
            "{missing} of {all} slices of {} gave no such figure",
            cell.lock
        )),
    }
}

/// Computes a figure from a throughput slice and the empty loop of its round.
type OfThroughput = dyn Fn(&Slice, Option<f64>) -> Option<f64>;

/// The kind of slice that has a figure, and how to compute it from one.
enum OfSlice {
    Throughput(Box<OfThroughput>),
    Waiting(fn(&Slice) -> Option<f64>),
    /// The slices of `bench` do not have this figure.
    None,
}

/// A figure from which the empty loop is not subtracted.
fn throughput(of: impl Fn(&Slice) -> Option<f64> + 'static) -> OfSlice {
    OfSlice::Throughput(Box::new(move |slice, _| of(slice)))
}

fn of_slice(figure: Figure, length: Length, net: bool, cpus: u32) -> OfSlice {
    match figure {
        // Never clamped at zero: that would turn noise into a figure.
        Figure::NsPerOp if net => {
            OfSlice::Throughput(Box::new(|slice, empty| Some(ns(slice)? - empty?)))
        }
        Figure::NsPerOp => throughput(ns),
        Figure::OpsPerSecond => throughput(|slice| Some(1e9 / ns(slice)?)),
        Figure::UserNsPerOp => throughput(|slice| used(slice, |used| used.user_ns)),
        Figure::SystemNsPerOp => throughput(|slice| used(slice, |used| used.system_ns)),
        Figure::CpuNsPerOp => throughput(cpu),
        Figure::SystemShare => throughput(|slice| {
            let system = used(slice, |used| used.system_ns)?;
            Some(system / cpu(slice).filter(|ns| *ns > 0.0)?)
        }),
        Figure::CpusBusy => throughput(|slice| Some(cpu(slice)? / ns(slice)?)),
        Figure::CpuLoad => {
            throughput(move |slice| Some(cpu(slice)? / ns(slice)? / f64::from(cpus)))
        }
        Figure::VoluntarySwitchesPerOp => {
            throughput(|slice| used(slice, |used| used.voluntary_switches))
        }
        Figure::InvoluntarySwitchesPerOp => {
            throughput(|slice| used(slice, |used| used.involuntary_switches))
        }
        Figure::SwitchesPerOp => throughput(|slice| used(slice, SwitchesAndCpu::switches)),
        Figure::AcquireP50 => OfSlice::Waiting(|slice| acquired(slice, Histogram::p50)),
        Figure::AcquireP99 => OfSlice::Waiting(|slice| acquired(slice, Histogram::p99)),
        Figure::AcquireP999 => OfSlice::Waiting(|slice| acquired(slice, Histogram::p99_9)),
        Figure::AcquireMax => OfSlice::Waiting(|slice| acquired(slice, Histogram::max)),
        Figure::Jain => throughput(move |slice| Some(fairness(slice, length)?.jain)),
        Figure::MinOverMax => throughput(move |slice| Some(fairness(slice, length)?.min_over_max)),
        Figure::LongestRun => OfSlice::Waiting(|slice| slice.longest_run.map(|run| run as f64)),
        Figure::BystanderPerSecond => throughput(|slice| slice.bystander_per_second),
        Figure::SwitchesPerSecond
        | Figure::UserTimeShare
        | Figure::SystemTimeShare
        | Figure::IdleTimeShare
        | Figure::SwitchesByFutex
        | Figure::SwitchesByIo
        | Figure::SwitchesTakenOff
        | Figure::SwitchesBySlice
        | Figure::SwitchesByYield
        | Figure::SwitchesCounted
        | Figure::SpinWaitCount
        | Figure::SpinWaitShare
        | Figure::SpinWaitsPerAcquisition => OfSlice::None,
    }
}

/// Returns the wall time per operation, in nanoseconds.
fn ns(slice: &Slice) -> Option<f64> {
    (slice.total() > 0).then(|| slice.wall_ns as f64 / slice.total() as f64)
}

/// Returns how much of a resource an operation used.
fn used(slice: &Slice, pick: impl Fn(&SwitchesAndCpu) -> Option<u64>) -> Option<f64> {
    let used = slice.resources.filter(|used| used.operations > 0)?;
    Some(pick(&used)? as f64 / used.operations as f64)
}

/// Returns the processor time per operation, in nanoseconds.
fn cpu(slice: &Slice) -> Option<f64> {
    used(slice, SwitchesAndCpu::cpu_ns)
}

/// Returns the fairness in a slice of fixed duration. If each thread has a fixed number of operations, they are equal by
/// construction.
fn fairness(slice: &Slice, length: Length) -> Option<Fairness> {
    let goes_by_time = matches!(length, Length::Time { .. });
    Fairness::of(&slice.operations, None).filter(|_| goes_by_time)
}

fn acquired(slice: &Slice, pick: fn(&Histogram) -> Option<u64>) -> Option<f64> {
    slice.acquire.as_ref().and_then(pick).map(|ns| ns as f64)
}

#[cfg(test)]
mod tests {
    use locktoll_lab::cell::Calibration;

    use super::*;

    fn cell(length: Length) -> Cell {
        Cell::at_rest("std", length, Calibration { loops_per_ns: 1.0 })
    }

    /// Ten operations of two threads in 2 us.
    fn slice() -> Slice {
        let mut acquire = Histogram::new();
        (0..1000).for_each(|ns| acquire.record(ns % 8));
        Slice {
            wall_ns: 2_000,
            operations: vec![4, 6],
            resources: Some(SwitchesAndCpu {
                operations: 10,
                user_ns: Some(300),
                system_ns: Some(100),
                voluntary_switches: Some(20),
                involuntary_switches: Some(5),
            }),
            acquire: Some(acquire),
            longest_run: Some(3),
            bystander_per_second: Some(7.0),
            ..Slice::default()
        }
    }

    fn of(slice: &Slice, length: Length, figure: Figure, net: bool) -> Option<f64> {
        let samples = Samples {
            throughput: vec![(slice.clone(), Some(50.0))],
            waiting: vec![slice.clone()],
            ..Samples::default()
        };
        let found = figures(&cell(length), &samples, figure, net, 4).ok()?;
        assert_eq!(found.len(), 1);
        Some(found[0])
    }

    const TIME: Length = Length::Time { ns: 2_000 };

    #[test]
    fn figures_are_of_one_operation_of_the_slice() {
        for (figure, expected) in [
            (Figure::NsPerOp, 200.0),
            (Figure::OpsPerSecond, 5e6),
            (Figure::UserNsPerOp, 30.0),
            (Figure::SystemNsPerOp, 10.0),
            (Figure::CpuNsPerOp, 40.0),
            (Figure::SystemShare, 0.25),
            (Figure::CpusBusy, 0.2),
            (Figure::CpuLoad, 0.05),
            (Figure::VoluntarySwitchesPerOp, 2.0),
            (Figure::InvoluntarySwitchesPerOp, 0.5),
            (Figure::SwitchesPerOp, 2.5),
            (Figure::AcquireP50, 3.0),
            (Figure::AcquireMax, 7.0),
            (Figure::Jain, 100.0 / 104.0),
            (Figure::MinOverMax, 4.0 / 6.0),
            (Figure::LongestRun, 3.0),
            (Figure::BystanderPerSecond, 7.0),
        ] {
            let found = of(&slice(), TIME, figure, false).unwrap();
            assert!((found - expected).abs() < 1e-9, "{figure:?}: {found}");
        }
        assert_eq!(of(&slice(), TIME, Figure::NsPerOp, true), Some(150.0));
        // The empty loop is subtracted from wall time alone, not from CPU time.
        assert_eq!(of(&slice(), TIME, Figure::UserNsPerOp, true), Some(30.0));
    }

    #[test]
    fn what_was_not_measured_is_no_figure() {
        let idle = Slice {
            operations: vec![0],
            resources: Some(SwitchesAndCpu {
                operations: 0,
                ..slice().resources.unwrap()
            }),
            ..slice()
        };
        for figure in [Figure::NsPerOp, Figure::UserNsPerOp, Figure::CpusBusy] {
            assert_eq!(of(&idle, TIME, figure, false), None, "{figure:?}");
        }
        let mut without_cpu = slice();
        let used = without_cpu.resources.as_mut().unwrap();
        (used.user_ns, used.system_ns) = (Some(0), Some(0));
        assert_eq!(of(&without_cpu, TIME, Figure::SystemShare, false), None);
        let rounds = Length::Rounds { each: 5 };
        assert_eq!(of(&slice(), rounds, Figure::Jain, false), None);
        let live = of(&slice(), TIME, Figure::SwitchesPerSecond, false);
        assert_eq!(live, None);
    }

    #[test]
    fn a_slice_without_the_figure_is_counted() {
        let throughput = [slice(), Slice::default(), Slice::default()].map(|it| (it, None));
        let samples = Samples {
            throughput: throughput.to_vec(),
            ..Samples::default()
        };
        let found = |samples| figures(&cell(TIME), samples, Figure::UserNsPerOp, false, 4);
        assert_eq!(
            found(&samples),
            Err("2 of 3 slices of std gave no such figure".to_owned())
        );
        let none = found(&Samples::default());
        assert_eq!(none, Err("std was not measured".to_owned()));
    }
}
