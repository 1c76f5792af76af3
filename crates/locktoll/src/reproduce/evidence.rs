//! What the runs of a claim gave, and how a selection finds its figures in it.

use locktoll_lab::cell::{Cell, Length, Slice};
use locktoll_lab::probe::{HandOver, Prices};
use locktoll_lab::runner::{Measured, Samples};
use locktoll_lab::stats::{Estimate, estimate};

use super::description::Run;
use super::select::{Axis, Crossing, Figure, JavaPrice, Misses, Select, When};

/// All runs of a claim.
pub struct Evidence {
    /// One entry a run, in the order of the description; a run that failed says why.
    pub runs: Vec<(Run, Result<Gathered, String>)>,
    /// CPUs that may be used.
    pub cpus: u32,
}

/// What one run gave.
pub enum Gathered {
    /// Cells of `bench`.
    Bench(BenchRun),
    /// A cell between looks at the whole system.
    Live(LiveRun),
    /// The price list.
    Machine(Box<Prices>),
}

/// What `bench` measured.
pub struct BenchRun {
    /// The cells.
    pub cells: Vec<Cell>,
    /// Their samples.
    pub measured: Measured,
}

/// What the system did, round by round.
#[derive(Clone, Debug, Default)]
pub struct LiveRun {
    /// While nothing of ours ran.
    pub before: Vec<SystemLook>,
    /// While the cell ran.
    pub during: Vec<SystemLook>,
}

/// A stretch of the whole system's life.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SystemLook {
    /// Context switches a second.
    pub switches_per_second: f64,
    /// Share of all CPUs' time in user mode, 0 to 1.
    pub user_share: f64,
    /// Share in the kernel.
    pub system_share: f64,
    /// Share idle, waiting for disks included.
    pub idle_share: f64,
    /// Of the switches of the cell's threads whose cause is told, the share of those that waited for a futex.
    pub by_futex: f64,
    /// The same for pipes, sockets, disks and events of descriptors.
    pub by_io: f64,
    /// The same for time slices that were over.
    pub by_slice: f64,
    /// The same for sched_yield, and for threads that gave way to one that woke up.
    pub by_yield: f64,
}

/// A measured figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// One value a round. Those of one run can be compared round by round.
    Rounds {
        /// Index of the run.
        run: usize,
        /// The values.
        values: Vec<f64>,
    },
    /// Only the median and its interval are known.
    Interval(Estimate),
    /// Counted, without an error.
    Exact(f64),
}

impl Quantity {
    /// The median with its interval.
    pub fn estimate(&self) -> Option<Estimate> {
        match self {
            Self::Rounds { values, .. } => estimate(values),
            Self::Interval(estimate) => Some(*estimate),
            Self::Exact(value) => estimate(&[*value]),
        }
    }
}

impl Evidence {
    /// The run that a selection names, or the only one.
    fn run(&self, select: &Select) -> Result<(usize, &Gathered), String> {
        let index = run_of(select, self.runs.iter().map(|(run, _)| run))?;
        match &self.runs[index].1 {
            Ok(gathered) => Ok((index, gathered)),
            Err(reason) => Err(reason.clone()),
        }
    }

    /// The figures of one selected thing.
    ///
    /// # Errors
    /// Why there are none, in a sentence.
    pub fn quantity(&self, select: &Select, default: Figure) -> Result<Quantity, String> {
        let figure = select.figure.unwrap_or(default);
        let (run, gathered) = self.run(select)?;
        match gathered {
            Gathered::Bench(bench) => {
                let index = bench.only(select, self.cpus)?;
                let values = bench.rounds(index, figure, self.cpus)?;
                Ok(Quantity::Rounds { run, values })
            }
            Gathered::Live(live) => {
                let values = live.rounds(select.when, figure)?;
                Ok(Quantity::Rounds { run, values })
            }
            Gathered::Machine(prices) => of_prices(prices, select, figure),
        }
    }

    /// The points of a curve, from left to right: where on the axis, and the figures there.
    ///
    /// # Errors
    /// Why there are none.
    pub fn curve(
        &self,
        select: &Select,
        along: Axis,
        default: Figure,
    ) -> Result<Vec<(f64, Vec<f64>)>, String> {
        let figure = select.figure.unwrap_or(default);
        let (_, Gathered::Bench(bench)) = self.run(select)? else {
            return Err("curves are made of cells of a bench run".to_owned());
        };
        let mut points = Vec::new();
        for index in bench.fitting(select, self.cpus)? {
            points.push((
                along.of(&bench.cells[index]),
                bench.rounds(index, figure, self.cpus)?,
            ));
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(points)
    }

    /// By which factor equal things differed: the widest of the A/A pairs that ran at the settings of the selected
    /// cells. 1 where there was none.
    pub fn noise(&self, selects: &[&Select]) -> f64 {
        let of = |select: &&Select| {
            let (_, Gathered::Bench(bench)) = self.run(select).ok()? else {
                return None;
            };
            let index = bench.only(select, self.cpus).ok()?;
            bench.noise_beside(index)
        };
        selects.iter().filter_map(of).fold(1.0, f64::max)
    }
}

/// The index of the run that a selection names.
///
/// # Errors
/// If there is no such run, or several and none is named.
pub fn run_of<'a>(select: &Select, runs: impl Iterator<Item = &'a Run>) -> Result<usize, String> {
    let runs: Vec<&Run> = runs.collect();
    match &select.run {
        Some(name) => runs
            .iter()
            .position(|run| run.name.as_ref() == Some(name))
            .ok_or_else(|| format!("there is no run named '{name}'")),
        None if runs.len() == 1 => Ok(0),
        None => Err("there are several runs: say which, by run = \"NAME\"".to_owned()),
    }
}

/// Indices of the cells that a selection leaves.
///
/// # Errors
/// If it cannot be read.
pub fn fitting(cells: &[Cell], select: &Select, cpus: u32) -> Result<Vec<usize>, String> {
    let mut left = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        if select.fits(cell, cpus)? {
            left.push(index);
        }
    }
    Ok(left)
}

/// The one cell that a selection leaves.
///
/// # Errors
/// If it leaves none, or several.
pub fn only(cells: &[Cell], select: &Select, cpus: u32) -> Result<usize, String> {
    match fitting(cells, select, cpus)?[..] {
        [index] => Ok(index),
        [] => Err("a selection fits none of the run's cells".to_owned()),
        [..] => Err("a selection fits several of the run's cells".to_owned()),
    }
}

impl BenchRun {
    fn fitting(&self, select: &Select, cpus: u32) -> Result<Vec<usize>, String> {
        fitting(&self.cells, select, cpus)
    }

    fn only(&self, select: &Select, cpus: u32) -> Result<usize, String> {
        only(&self.cells, select, cpus)
    }

    /// One figure a round, of the cell at `index`.
    ///
    /// # Errors
    /// If the cell was not measured in every round.
    pub fn rounds(&self, index: usize, figure: Figure, cpus: u32) -> Result<Vec<f64>, String> {
        let (cell, samples) = (&self.cells[index], &self.measured.samples[index]);
        sound(cell, samples)?;
        let alone = cell.threads == 1;
        let throughput = |of: &dyn Fn(&Slice, f64) -> Option<f64>| -> Vec<Option<f64>> {
            let empty = |empty: Option<f64>| if alone { empty.unwrap_or(0.0) } else { 0.0 };
            let rounds = samples.throughput.iter();
            rounds
                .map(|(slice, loop_ns)| of(slice, empty(*loop_ns)))
                .collect()
        };
        let waiting = |of: &dyn Fn(&Slice) -> Option<f64>| -> Vec<Option<f64>> {
            samples.waiting.iter().map(of).collect()
        };
        let ns = |slice: &Slice| {
            (slice.total() > 0).then(|| slice.wall_ns as f64 / slice.total() as f64)
        };
        let used = |slice: &Slice, pick: &dyn Fn(&locktoll_lab::cell::SwitchesAndCpu) -> u64| {
            let used = slice.resources.filter(|used| used.operations > 0)?;
            Some(pick(&used) as f64 / used.operations as f64)
        };
        let fair = |slice: &Slice, pick: fn(&locktoll_lab::stats::Fairness) -> f64| {
            let counted = matches!(cell.length, Length::Time { .. });
            let fairness = locktoll_lab::stats::Fairness::of(&slice.operations, None);
            fairness.filter(|_| counted).map(|fairness| pick(&fairness))
        };
        let acquired = |slice: &Slice, pick: fn(&locktoll_lab::stats::Histogram) -> Option<u64>| {
            slice.acquire.as_ref().and_then(pick).map(|ns| ns as f64)
        };
        let cpu = |slice: &Slice| used(slice, &|used| used.user_ns + used.system_ns);
        use locktoll_lab::stats::Histogram;
        let figures = match figure {
            Figure::NsPerOp => throughput(&|slice, empty| Some((ns(slice)? - empty).max(0.0))),
            Figure::OpsPerSecond => throughput(&|slice, _| Some(1e9 / ns(slice)?)),
            Figure::UserNsPerOp => throughput(&|slice, _| used(slice, &|used| used.user_ns)),
            Figure::SystemNsPerOp => throughput(&|slice, _| used(slice, &|used| used.system_ns)),
            Figure::CpuNsPerOp => throughput(&|slice, _| cpu(slice)),
            Figure::SystemShare => throughput(&|slice, _| {
                let system = used(slice, &|used| used.system_ns)?;
                Some(system / cpu(slice).filter(|ns| *ns > 0.0)?)
            }),
            Figure::CpuLoad => {
                throughput(&|slice, _| Some(cpu(slice)? / ns(slice)? / f64::from(cpus)))
            }
            Figure::VoluntarySwitchesPerOp => {
                throughput(&|slice, _| used(slice, &|used| used.voluntary_switches))
            }
            Figure::InvoluntarySwitchesPerOp => {
                throughput(&|slice, _| used(slice, &|used| used.involuntary_switches))
            }
            Figure::SwitchesPerOp => throughput(&|slice, _| {
                used(slice, &|used| {
                    used.voluntary_switches + used.involuntary_switches
                })
            }),
            Figure::AcquireP50 => waiting(&|slice| acquired(slice, Histogram::p50)),
            Figure::AcquireP99 => waiting(&|slice| acquired(slice, Histogram::p99)),
            Figure::AcquireP999 => waiting(&|slice| acquired(slice, Histogram::p99_9)),
            Figure::AcquireMax => waiting(&|slice| acquired(slice, Histogram::max)),
            Figure::Jain => throughput(&|slice, _| fair(slice, |fairness| fairness.jain)),
            Figure::MinOverMax => {
                throughput(&|slice, _| fair(slice, |fairness| fairness.min_over_max))
            }
            Figure::LongestRun => waiting(&|slice| slice.longest_run.map(|run| run as f64)),
            Figure::BystanderPerSecond => throughput(&|slice, _| slice.bystander_per_second),
            Figure::SwitchesPerSecond
            | Figure::UserTimeShare
            | Figure::SystemTimeShare
            | Figure::IdleTimeShare
            | Figure::SwitchesByFutex
            | Figure::SwitchesByIo
            | Figure::SwitchesBySlice
            | Figure::SwitchesByYield
            | Figure::SwitchesCounted => {
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

    /// What the A/A pair at the setting of a cell came to, as a factor of at least 1.
    fn noise_beside(&self, index: usize) -> Option<f64> {
        let setting = |cell: &Cell| Cell {
            lock: String::new(),
            ..cell.clone()
        };
        let here = setting(&self.cells[index]);
        let pairs = self.measured.same_again.iter();
        pairs
            .filter(|(twice, _)| setting(&self.cells[*twice]) == here)
            .map(|(_, ratio)| {
                let ends = [ratio.low, ratio.high, 1.0 / ratio.low, 1.0 / ratio.high];
                ends.into_iter().fold(1.0, f64::max)
            })
            .reduce(f64::max)
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

impl LiveRun {
    fn rounds(&self, when: Option<When>, figure: Figure) -> Result<Vec<f64>, String> {
        let looks = match when {
            Some(When::Before) => &self.before,
            Some(When::During) => &self.during,
            None => {
                return Err(
                    "a live run has two halves: say which, by when = \"before\" or \"during\""
                        .to_owned(),
                );
            }
        };
        let pick: fn(&SystemLook) -> f64 = match figure {
            Figure::SwitchesPerSecond => |look| look.switches_per_second,
            Figure::UserTimeShare => |look| look.user_share,
            Figure::SystemTimeShare => |look| look.system_share,
            Figure::IdleTimeShare => |look| look.idle_share,
            Figure::SwitchesByFutex => |look| look.by_futex,
            Figure::SwitchesByIo => |look| look.by_io,
            Figure::SwitchesBySlice => |look| look.by_slice,
            Figure::SwitchesByYield => |look| look.by_yield,
            _ => {
                return Err(
                    "a live run has figures of the whole system, not of operations".to_owned(),
                );
            }
        };
        match looks.is_empty() {
            true => Err("the system was not looked at".to_owned()),
            false => Ok(looks.iter().map(pick).collect()),
        }
    }
}

/// One figure of the price list.
fn of_prices(prices: &Prices, select: &Select, figure: Figure) -> Result<Quantity, String> {
    if let Some(name) = &select.part {
        let part = prices.parts.iter().find(|part| part.name == *name);
        let part = part.ok_or_else(|| {
            let names: Vec<&str> = prices.parts.iter().map(|part| part.name.as_str()).collect();
            format!(
                "the price list has no part '{name}'; it has {}",
                names.join(", ")
            )
        })?;
        let refused = || {
            part.refused
                .clone()
                .unwrap_or_else(|| format!("{} was not measured", part.title))
        };
        return match figure {
            Figure::SwitchesCounted => part
                .switches_counted
                .map(Quantity::Exact)
                .ok_or_else(refused),
            _ => part.value.map(Quantity::Interval).ok_or_else(refused),
        };
    }
    if let Some(crossing) = select.hand_over {
        let split = &prices.decomposition;
        let whole = match crossing {
            Crossing::SameCpu => &split.same_cpu,
            Crossing::CrossCpu => &split.cross_cpu,
        };
        let missing = || {
            split
                .refused
                .clone()
                .unwrap_or_else(|| "the hand-over was not measured".to_owned())
        };
        return of_hand_over(whole.as_ref().ok_or_else(missing)?, select.share.as_deref());
    }
    if let Some(price) = select.java {
        let java = prices.java.as_ref().ok_or("Java was not looked for")?;
        let found = match price {
            JavaPrice::ParkUnpark => java.park_unpark_ns,
            JavaPrice::Synchronized => java.synchronized_ns,
            JavaPrice::ReentrantLock => java.reentrant_lock_ns,
        };
        let refused = || {
            java.refused
                .clone()
                .unwrap_or_else(|| "no JDK was found".to_owned())
        };
        return found.map(Quantity::Interval).ok_or_else(refused);
    }
    if let Some(misses) = select.misses {
        let counters = prices
            .counters
            .as_ref()
            .ok_or("hardware counters were not looked for")?;
        let found = match misses {
            Misses::Cache => counters.cache_misses_per_switch,
            Misses::Tlb => counters.tlb_misses_per_switch,
        };
        let refused = || {
            counters
                .refused
                .clone()
                .unwrap_or_else(|| "no such hardware counter".to_owned())
        };
        return found.map(Quantity::Interval).ok_or_else(refused);
    }
    Err("a machine run is told by part, hand_over, java or misses".to_owned())
}

fn of_hand_over(whole: &HandOver, share: Option<&str>) -> Result<Quantity, String> {
    let Some(name) = share else {
        return Ok(Quantity::Interval(whole.total_ns));
    };
    if name == "residual" {
        return Ok(Quantity::Interval(whole.residual_ns));
    }
    let found = whole.parts.iter().find(|share| share.name == name);
    found
        .map(|share| Quantity::Interval(share.ns))
        .ok_or_else(|| {
            let names: Vec<&str> = whole
                .parts
                .iter()
                .map(|share| share.name.as_str())
                .collect();
            format!(
                "the hand-over has no share '{name}'; it has {}",
                names.join(", ")
            )
        })
}
