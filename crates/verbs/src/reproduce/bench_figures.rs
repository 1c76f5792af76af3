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
