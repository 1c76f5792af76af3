//! The results of a claim's runs, and how a selection finds its figures in them.

use locktoll_lab::cell::Cell;
use locktoll_lab::probe::Prices;
use locktoll_lab::runner::Samples;
use locktoll_lab::stats::{Estimate, Look, MISSES, estimate_missing};

use super::axis::Axis;
use super::bench_run::BenchRun;
use super::description::Run;
use super::figure::Figure;
use super::figure_source::weaker;
use super::guest_run::GuestRun;
use super::kernel_run::KernelRun;
use super::prices::of_prices;
use super::selection::{Select, When};
use locktoll_results::reproduction::FiguresFrom;

/// All runs of a claim.
pub struct Evidence {
    /// One entry per run, in the order of the description; for a run that failed, the reason.
    pub runs: Vec<(Run, Result<Gathered, String>)>,
    /// Number of usable CPUs.
    pub cpus: u32,
    /// Which look at the rounds this is: it says how strict intervals are.
    pub look: Look,
}

/// The result of one run.
pub enum Gathered {
    /// Cells of `bench`.
    Bench(BenchRun),
    /// A cell between observations of the whole system.
    Live(LiveRun),
    /// Waits for the kernel's spin locks.
    Kernel(KernelRun),
    /// Waits for the spin locks of a guest's kernel.
    Guest(GuestRun),
    /// The price list.
    Machine(Box<Prices>),
}

/// The activity of the system, round by round.
#[derive(Clone, Debug, Default)]
pub struct LiveRun {
    /// While locktoll ran nothing.
    pub before: Vec<SystemLook>,
    /// While the cell ran.
    pub during: Vec<SystemLook>,
    /// Where the causes of switches come from; `None` if no check asks for them.
    pub causes_from: Option<FiguresFrom>,
}

/// The activity of the whole system during some time.
#[derive(Clone, Debug, PartialEq)]
pub struct SystemLook {
    /// Context switches per second.
    pub switches_per_second: f64,
    /// Share of all CPUs' time in user mode, 0 to 1.
    pub user_share: f64,
    /// Share of all CPUs' time in the kernel, 0 to 1.
    pub system_share: f64,
    /// Share of all CPUs' time idle, 0 to 1, including waiting for disks.
    pub idle_share: f64,
    /// The causes of the context switches of the cell's threads, or why they are not known.
    pub causes: Result<CauseShares, String>,
}

/// Shares of the context switches of the cell's threads, 0 to 1, by cause; for a share that is not known, the reason.
#[derive(Clone, Debug, PartialEq)]
pub struct CauseShares {
    /// Switches to wait for a futex; from `/proc`, those of threads that were only ever found waiting so.
    pub futex: Result<f64, String>,
    /// The same for pipes, sockets, disks and events of descriptors.
    pub io: Result<f64, String>,
    /// Switches of threads that could have continued: counted by the kernel.
    pub taken_off: f64,
    /// Switches at the end of a time slice; from `/proc`, an upper bound.
    pub slice: Result<f64, String>,
    /// Switches by sched_yield; from `/proc`, a lower bound, with switches to a thread that woke up and had to run at once.
    pub yielded: Result<f64, String>,
}

/// Which rounds were run together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Together {
    /// The rounds of all bench runs of a claim: they are interleaved.
    Bench,
    /// The rounds of the live run, or kernel run, with this index.
    Live(usize),
}

/// A measured figure.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// One value per round.
    Rounds {
        /// The rounds with which these can be compared one by one.
        rounds: Together,
        /// The values.
        values: Vec<f64>,
    },
    /// Only the median and its interval are known.
    Interval(Estimate),
    /// An exact count.
    Exact(f64),
}

impl Quantity {
    /// Returns the median with its 95 % interval.
    pub fn estimate(&self) -> Option<Estimate> {
        self.estimate_missing(MISSES)
    }

    /// Returns the median with an interval that misses it with a probability of at most `misses`. Where only an interval is
    /// known, that is a 95 % interval: no more rounds are added to such a figure.
    pub fn estimate_missing(&self, misses: f64) -> Option<Estimate> {
        match self {
            Self::Rounds { values, .. } => estimate_missing(values, misses),
            Self::Interval(estimate) => Some(*estimate),
            Self::Exact(value) => estimate_missing(&[*value], misses),
        }
    }
}

impl Evidence {
    /// Adds the rounds of further runs of the same claim. A run that was not made again keeps its results; if one failed, its
    /// reason takes the place of the results so far.
    pub fn extend(&mut self, more: Self) {
        for ((_, ours), (_, theirs)) in self.runs.iter_mut().zip(more.runs) {
            match (ours, theirs) {
                (Ok(Gathered::Bench(ours)), Ok(Gathered::Bench(theirs))) => {
                    for (ours, theirs) in ours.samples.iter_mut().zip(theirs.samples) {
                        ours.extend(theirs);
                    }
                }
                (Ok(Gathered::Live(ours)), Ok(Gathered::Live(theirs))) => {
                    ours.before.extend(theirs.before);
                    ours.during.extend(theirs.during);
                    let sources = ours.causes_from.take().zip(theirs.causes_from);
                    ours.causes_from = sources.map(|(one, other)| weaker(one, other));
                }
                (Ok(Gathered::Kernel(ours)), Ok(Gathered::Kernel(theirs))) => ours.extend(theirs),
                (Ok(Gathered::Guest(ours)), Ok(Gathered::Guest(theirs))) => ours.extend(theirs),
                (Ok(Gathered::Machine(_)), _) => {}
                (ours @ Ok(_), Err(reason)) => *ours = Err(reason),
                _ => {}
            }
        }
    }

    /// Returns the number of rounds, if a run has rounds that can be added to.
    pub fn rounds(&self) -> Option<u32> {
        let of = |gathered: &Result<Gathered, String>| match gathered {
            Ok(Gathered::Bench(bench)) => {
                let rounds = |it: &Samples| it.throughput.len().max(it.waiting.len());
                bench.samples.iter().map(rounds).max()
            }
            Ok(Gathered::Live(live)) => Some(live.during.len()),
            Ok(Gathered::Kernel(kernel)) => Some(kernel.rounds.len()),
            Ok(Gathered::Guest(guest)) => Some(guest.idle.run.rounds.len()),
            Ok(Gathered::Machine(_)) | Err(_) => None,
        };
        let most = self.runs.iter().filter_map(|(_, run)| of(run)).max()?;
        u32::try_from(most).ok().filter(|rounds| *rounds > 0)
    }

    /// Says where the figures come from, if not from this machine itself.
    pub fn measured_in(&self) -> Option<String> {
        let mut runs = self.runs.iter();
        runs.find_map(|(_, gathered)| match gathered {
            Ok(Gathered::Guest(guest)) => Some(guest.measured_in()),
            _ => None,
        })
    }

    /// Finds the run that a selection names, or the only run.
    fn run(&self, select: &Select) -> Result<(usize, &Gathered), String> {
        let index = run_of(select, self.runs.iter().map(|(run, _)| run))?;
        match &self.runs[index].1 {
            Ok(gathered) => Ok((index, gathered)),
            Err(reason) => Err(reason.clone()),
        }
    }

    /// Returns the figures of a selection. `net` is as in [`BenchRun::rounds`].
    ///
    /// # Errors
    /// The reason why there are none, as a sentence.
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
            Gathered::Guest(guest) => Ok(Quantity::Rounds {
                rounds: Together::Live(run),
                values: guest.figures(select, figure)?,
            }),
            Gathered::Machine(prices) => of_prices(prices, select, figure),
        }
    }

    /// Whether to subtract the empty loop from times per operation: only if every cell among `selects` has one thread. The loops
    /// of several threads overlap, and a quantity that is not subtracted on one side must not be subtracted on the other.
    pub fn net(&self, selects: &[&Select]) -> bool {
        let alone = |select: &&Select| match self.run(select) {
            Ok((_, Gathered::Bench(bench))) => bench
                .fitting(select, self.cpus)
                .is_ok_and(|all| all.iter().all(|index| bench.cells[*index].threads == 1)),
            _ => true,
        };
        selects.iter().all(alone)
    }

    /// Returns the points of a curve, from left to right: the position on the axis, and the figures there.
    ///
    /// # Errors
    /// The reason why there are none.
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

    /// Returns the factor, 1 or more, by which equal slices differed in the figures that `selects` compare: the widest of the A/A
    /// pairs among their cells and at their settings.
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

    /// Returns how far apart a single figure was in equal slices.
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

/// Returns the index of the run that a selection names.
///
/// # Errors
/// If there is no such run, or if there are several and the selection names none.
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

/// Returns the indices of the cells that match a selection.
///
/// # Errors
/// If the selection cannot be read.
pub fn fitting(cells: &[Cell], select: &Select, cpus: u32) -> Result<Vec<usize>, String> {
    let mut left = Vec::new();
    for (index, cell) in cells.iter().enumerate() {
        if select.fits(cell, cpus)? {
            left.push(index);
        }
    }
    Ok(left)
}

/// Returns the one cell that matches a selection.
///
/// # Errors
/// If no cell matches, or several do.
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
            // No round may be left out: it might be evidence against the claim.
            false => looks.iter().map(one).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
