//! The results of a claim's runs, and how a selection finds its figures in them.

use locktoll_lab::cell::Cell;
use locktoll_lab::probe::Prices;
use locktoll_lab::stats::{Estimate, estimate};

use super::axis::Axis;
use super::bench_run::BenchRun;
use super::description::Run;
use super::figure::Figure;
use super::kernel_run::KernelRun;
use super::prices::of_prices;
use super::selection::{Select, When};

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
    /// Waits for the kernel's spin locks.
    Kernel(KernelRun),
    /// The price list.
    Machine(Box<Prices>),
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
#[derive(Clone, Debug, PartialEq)]
pub struct SystemLook {
    /// Context switches a second.
    pub switches_per_second: f64,
    /// Share of all CPUs' time in user mode, 0 to 1.
    pub user_share: f64,
    /// Share in the kernel.
    pub system_share: f64,
    /// Share idle, waiting for disks included.
    pub idle_share: f64,
    /// Why the cell's threads switched, or why that is not known.
    pub causes: Result<CauseShares, String>,
}

/// Shares of the switches of the cell's threads, 0 to 1; what cannot be told says why.
#[derive(Clone, Debug, PartialEq)]
pub struct CauseShares {
    /// By threads that were found waiting for nothing but futexes.
    pub futex: Result<f64, String>,
    /// The same for pipes, sockets, disks and events of descriptors.
    pub io: Result<f64, String>,
    /// By threads that wanted to go on: counted by the kernel.
    pub taken_off: f64,
    /// For time slices that were over: at most so many.
    pub slice: Result<f64, String>,
    /// For sched_yield, and for a thread that woke up and was to run at once: at least so many.
    pub yielded: Result<f64, String>,
}

/// Rounds that were run together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Together {
    /// Those of all bench runs of a claim: they are interleaved.
    Bench,
    /// Those of the live run, or the kernel run, of this index.
    Live(usize),
}

/// A measured figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// One value a round.
    Rounds {
        /// With which others they can be compared round by round.
        rounds: Together,
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

    /// The figures of one selected thing. `net` as for [`BenchRun::rounds`].
    ///
    /// # Errors
    /// Why there are none, in a sentence.
    pub fn quantity(
        &self,
        select: &Select,
        default: Figure,
        net: bool,
    ) -> Result<Quantity, String> {
        let figure = select.figure.unwrap_or(default);
        let (run, gathered) = self.run(select)?;
        match gathered {
            Gathered::Bench(bench) => {
                let index = bench.only(select, self.cpus)?;
                let values = bench.rounds(index, figure, net, self.cpus)?;
                Ok(Quantity::Rounds {
                    rounds: Together::Bench,
                    values,
                })
            }
            Gathered::Live(live) => {
                let values = live.rounds(select.when, figure)?;
                Ok(Quantity::Rounds {
                    rounds: Together::Live(run),
                    values,
                })
            }
            Gathered::Kernel(kernel) => Ok(Quantity::Rounds {
                rounds: Together::Live(run),
                values: kernel.figures(select, figure)?,
            }),
            Gathered::Machine(prices) => of_prices(prices, select, figure),
        }
    }

    /// Whether times an operation are compared without the empty loop: only where every cell among `selects` has one thread. Loops
    /// of several overlap, and what is not taken off one side must not be taken off the other.
    pub fn net(&self, selects: &[&Select]) -> bool {
        let alone = |select: &&Select| match self.run(select) {
            Ok((_, Gathered::Bench(bench))) => bench
                .fitting(select, self.cpus)
                .is_ok_and(|all| all.iter().all(|index| bench.cells[*index].threads == 1)),
            _ => true,
        };
        selects.iter().all(alone)
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
        net: bool,
    ) -> Result<Vec<(f64, Vec<f64>)>, String> {
        let figure = select.figure.unwrap_or(default);
        let (_, Gathered::Bench(bench)) = self.run(select)? else {
            return Err("curves are made of cells of a bench run".to_owned());
        };
        let mut points = Vec::new();
        for index in bench.fitting(select, self.cpus)? {
            points.push((
                along.of(&bench.cells[index]),
                bench.rounds(index, figure, net, self.cpus)?,
            ));
        }
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(points)
    }

    /// By which factor, 1 or more, equal slices differed in the figures that `selects` compare: the widest of the A/A pairs among
    /// their cells and at their settings.
    pub fn factor(&self, selects: &[&Select], default: Figure, net: bool) -> f64 {
        let of = |select: &&Select| {
            let (_, Gathered::Bench(bench)) = self.run(select).ok()? else {
                return None;
            };
            let figure = select.figure.unwrap_or(default);
            let cells = bench.fitting(select, self.cpus).ok()?;
            let factors = cells.iter();
            factors
                .filter_map(|index| bench.factor(*index, figure, net, self.cpus))
                .reduce(f64::max)
        };
        selects.iter().filter_map(of).fold(1.0, f64::max)
    }

    /// By how much a single figure differed between equal slices.
    pub fn shift(&self, select: &Select, default: Figure, net: bool) -> f64 {
        let of = || {
            let (_, Gathered::Bench(bench)) = self.run(select).ok()? else {
                return None;
            };
            let index = bench.only(select, self.cpus).ok()?;
            bench.shift(index, select.figure.unwrap_or(default), net, self.cpus)
        };
        of().unwrap_or(0.0)
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
        let caused = |look: &SystemLook, pick: fn(CauseShares) -> Result<f64, String>| {
            look.causes.clone().and_then(pick)
        };
        let one = |look: &SystemLook| match figure {
            Figure::SwitchesPerSecond => Ok(look.switches_per_second),
            Figure::UserTimeShare => Ok(look.user_share),
            Figure::SystemTimeShare => Ok(look.system_share),
            Figure::IdleTimeShare => Ok(look.idle_share),
            Figure::SwitchesByFutex => caused(look, |shares| shares.futex),
            Figure::SwitchesByIo => caused(look, |shares| shares.io),
            Figure::SwitchesTakenOff => caused(look, |shares| Ok(shares.taken_off)),
            Figure::SwitchesBySlice => caused(look, |shares| shares.slice),
            Figure::SwitchesByYield => caused(look, |shares| shares.yielded),
            _ => Err("a live run has figures of the whole system, not of operations".to_owned()),
        };
        match looks.is_empty() {
            true => Err("the system was not watched".to_owned()),
            // No round may be left out: it might be one that speaks against the claim.
            false => looks.iter().map(one).collect(),
        }
    }
}
