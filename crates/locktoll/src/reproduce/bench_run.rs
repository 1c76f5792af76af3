//! What a run of `bench` gave: one figure of a cell in each round.

use locktoll_lab::cell::{Cell, Length, Slice, SwitchesAndCpu};
use locktoll_lab::runner::Samples;
use locktoll_lab::stats::{Estimate, Fairness, Histogram, estimate, widest_factor};

use super::evidence::{fitting, only};
use super::figure::Figure;
use super::select::Select;

/// What `bench` measured.
pub struct BenchRun {
    /// The cells.
    pub cells: Vec<Cell>,
    /// Their samples, in the same order.
    pub samples: Vec<Samples>,
}

impl BenchRun {
    pub fn fitting(&self, select: &Select, cpus: u32) -> Result<Vec<usize>, String> {
        fitting(&self.cells, select, cpus)
    }

    pub fn only(&self, select: &Select, cpus: u32) -> Result<usize, String> {
        only(&self.cells, select, cpus)
    }

    /// One figure a round, of the cell at `index`. `net` subtracts the empty loop of the same round from times an operation.
    ///
    /// # Errors
    /// If the cell was not measured in every round.
    pub fn rounds(
        &self,
        index: usize,
        figure: Figure,
        net: bool,
        cpus: u32,
    ) -> Result<Vec<f64>, String> {
        let (cell, samples) = (&self.cells[index], &self.samples[index]);
        sound(cell, samples)?;
        figures(cell, samples, figure, net, cpus)
    }

    /// The figure in the first slices of each round, and in the second ones of the same cell; `None` where it was not run twice.
    fn twice(&self, index: usize, figure: Figure, net: bool, cpus: u32) -> Option<[Vec<f64>; 2]> {
        let (cell, samples) = (&self.cells[index], &self.samples[index]);
        let empty_loops = samples.throughput.iter().map(|(_, empty)| *empty);
        let second = Samples {
            throughput: samples.again.iter().cloned().zip(empty_loops).collect(),
            waiting: samples.again_waiting.clone(),
            ..Samples::default()
        };
        let first = figures(cell, samples, figure, net, cpus).ok()?;
        Some([first, figures(cell, &second, figure, net, cpus).ok()?])
    }

    /// By which factor, 1 or more, `figure` differed between equal slices: of A/A pairs at the setting of the cell at `index`,
    /// whatever their lock, the widest. Infinite where it was nothing in one slice and something in the other.
    pub fn factor(&self, index: usize, figure: Figure, net: bool, cpus: u32) -> Option<f64> {
        let setting = |cell: &Cell| Cell {
            lock: String::new(),
            ..cell.clone()
        };
        let here = setting(&self.cells[index]);
        let pairs = (0..self.cells.len()).filter(|other| setting(&self.cells[*other]) == here);
        let factor = |other| {
            let [first, second] = self.twice(other, figure, net, cpus)?;
            Some(factor_between(&first, &second))
        };
        pairs.filter_map(factor).reduce(f64::max)
    }

    /// By how much `figure` differed between equal slices of the cell at `index`.
    pub fn shift(&self, index: usize, figure: Figure, net: bool, cpus: u32) -> Option<f64> {
        let [first, second] = self.twice(index, figure, net, cpus)?;
        let apart: Vec<f64> = first.iter().zip(&second).map(|(a, b)| b - a).collect();
        estimate(&apart).map(|Estimate { low, high, .. }| low.abs().max(high.abs()))
    }
}

/// The widest factor that the 95 % interval of second over first leaves open.
fn factor_between(first: &[f64], second: &[f64]) -> f64 {
    let quotients: Vec<f64> = first
        .iter()
        .zip(second)
        .map(|(a, b)| match a == b {
            true => 1.0,
            // Stands for infinity, of which there is no median.
            false if *a == 0.0 => f64::MAX,
            false => b / a,
        })
        .collect();
    match estimate(&quotients) {
        Some(apart) if apart.low > 0.0 && apart.high < f64::MAX => widest_factor(&apart),
        _ => f64::INFINITY,
    }
}

/// One figure of each slice.
fn figures(
    cell: &Cell,
    samples: &Samples,
    figure: Figure,
    net: bool,
    cpus: u32,
) -> Result<Vec<f64>, String> {
    let throughput = |of: &dyn Fn(&Slice, Option<f64>) -> Option<f64>| -> Vec<Option<f64>> {
        let rounds = samples.throughput.iter();
        rounds.map(|(slice, empty)| of(slice, *empty)).collect()
    };
    let waiting = |of: &dyn Fn(&Slice) -> Option<f64>| -> Vec<Option<f64>> {
        samples.waiting.iter().map(of).collect()
    };
    let ns =
        |slice: &Slice| (slice.total() > 0).then(|| slice.wall_ns as f64 / slice.total() as f64);
    let used = |slice: &Slice, pick: &dyn Fn(&SwitchesAndCpu) -> Option<u64>| {
        let used = slice.resources.filter(|used| used.operations > 0)?;
        Some(pick(&used)? as f64 / used.operations as f64)
    };
    let fair = |slice: &Slice, pick: fn(&Fairness) -> f64| {
        let counted = matches!(cell.length, Length::Time { .. });
        let fairness = Fairness::of(&slice.operations, None);
        fairness.filter(|_| counted).map(|fairness| pick(&fairness))
    };
    let acquired = |slice: &Slice, pick: fn(&Histogram) -> Option<u64>| {
        slice.acquire.as_ref().and_then(pick).map(|ns| ns as f64)
    };
    let cpu = |slice: &Slice| used(slice, &SwitchesAndCpu::cpu_ns);
    let figures = match figure {
        // Never cut off at zero: that would turn noise into a figure.
        Figure::NsPerOp if net => throughput(&|slice, empty| Some(ns(slice)? - empty?)),
        Figure::NsPerOp => throughput(&|slice, _| ns(slice)),
        Figure::OpsPerSecond => throughput(&|slice, _| Some(1e9 / ns(slice)?)),
        Figure::UserNsPerOp => throughput(&|slice, _| used(slice, &|used| used.user_ns)),
        Figure::SystemNsPerOp => throughput(&|slice, _| used(slice, &|used| used.system_ns)),
        Figure::CpuNsPerOp => throughput(&|slice, _| cpu(slice)),
        Figure::SystemShare => throughput(&|slice, _| {
            let system = used(slice, &|used| used.system_ns)?;
            Some(system / cpu(slice).filter(|ns| *ns > 0.0)?)
        }),
        Figure::CpusBusy => throughput(&|slice, _| Some(cpu(slice)? / ns(slice)?)),
        Figure::CpuLoad => throughput(&|slice, _| Some(cpu(slice)? / ns(slice)? / f64::from(cpus))),
        Figure::VoluntarySwitchesPerOp => {
            throughput(&|slice, _| used(slice, &|used| used.voluntary_switches))
        }
        Figure::InvoluntarySwitchesPerOp => {
            throughput(&|slice, _| used(slice, &|used| used.involuntary_switches))
        }
        Figure::SwitchesPerOp => throughput(&|slice, _| used(slice, &SwitchesAndCpu::switches)),
        Figure::AcquireP50 => waiting(&|slice| acquired(slice, Histogram::p50)),
        Figure::AcquireP99 => waiting(&|slice| acquired(slice, Histogram::p99)),
        Figure::AcquireP999 => waiting(&|slice| acquired(slice, Histogram::p99_9)),
        Figure::AcquireMax => waiting(&|slice| acquired(slice, Histogram::max)),
        Figure::Jain => throughput(&|slice, _| fair(slice, |fairness| fairness.jain)),
        Figure::MinOverMax => throughput(&|slice, _| fair(slice, |fairness| fairness.min_over_max)),
        Figure::LongestRun => waiting(&|slice| slice.longest_run.map(|run| run as f64)),
        Figure::BystanderPerSecond => throughput(&|slice, _| slice.bystander_per_second),
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
        | Figure::SpinWaitsPerAcquisition => {
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

/// Whether the figures of a cell mean what they say.
fn sound(cell: &Cell, samples: &Samples) -> Result<(), String> {
    let lock = &cell.lock;
    if let Some(broken) = samples
        .slices()
        .find_map(|slice| slice.exclusion_broken.as_ref())
    {
        return Err(format!("{lock} let two threads in at once: {broken}"));
    }
    if samples.slices().any(|slice| slice.cut_off.is_some()) {
        return Err(format!("{lock} did not end in time and was cut off"));
    }
    match &samples.failure {
        Some(failure) => Err(format!("{lock}: {failure}")),
        None => Ok(()),
    }
}
