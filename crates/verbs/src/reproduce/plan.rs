//! Turns a description into runs that can be carried out on this machine, and checks all of it before anything starts.

use std::time::Duration;

use clap::{Args, FromArgMatches};
use locktoll_lab::cell::{Calibration, Cell, Length, Part};
use locktoll_lab::machine::Machine;
use locktoll_lab::runner::count_slices_again;

use super::checks::{run_twice, selections};
use super::guest_plan::GuestPlan;
use super::kernel_plan::KernelPlan;
use crate::arguments::one_line;
use crate::bench;
use crate::bench::flags::BenchArgs;
use crate::reproduce::description::{Description, Run};
use crate::reproduce::placeholders::fill_in;
use locktoll_terminal::failure::Failure;

/// The shortest slice of a live run that shows anything.
const SHORTEST: Duration = Duration::from_millis(400);

/// A claim that is ready to be run, or known not to be runnable here.
pub struct Plan<'a> {
    /// The claim.
    pub described: &'a Description,
    /// The runs, or the reason why there are none.
    pub runs: Result<Vec<PlannedRun>, String>,
}

/// One run, with its flags parsed.
pub struct PlannedRun {
    /// The run as described.
    pub run: Run,
    /// The command that does the same by hand.
    pub command: String,
    /// The work to do.
    pub work: Work,
}

/// The work of a run.
pub enum Work {
    /// Cells, measured in rounds and interleaved with the cells of the claim's other bench runs.
    Bench {
        /// The cells.
        cells: Vec<Cell>,
        /// The cells that are run twice in each round, and which part of them: so every check has an A/A pair of the figure that
        /// it compares.
        again: Vec<(usize, Part)>,
        /// Number of rounds.
        repeat: u32,
    },
    /// One cell between observations of the whole system.
    Live {
        /// The cell.
        cell: Box<Cell>,
        /// Number of rounds.
        repeat: u32,
        /// Length of a slice.
        slice: Duration,
    },
    /// A build during which the kernel's locks are watched.
    Kernel(KernelPlan),
    /// A build in an emulated virtual machine, whose kernel's locks are watched.
    Guest(GuestPlan),
    /// The price list.
    Machine(locktoll_lab::probe::Plan),
}

impl<'a> Plan<'a> {
    /// Plans the runs of `described`.
    ///
    /// # Errors
    /// One line about what is wrong with the description.
    pub fn new(
        described: &'a Description,
        machine: &Machine,
        calibration: Calibration,
    ) -> Result<Self, String> {
        if let Some(reason) = &described.cannot_run {
            let runs = Err(reason.clone());
            return Ok(Self { described, runs });
        }
        let cpus = machine.usable_cpus.len();
        if let Some(wanted) = described.needs.cpus.filter(|wanted| *wanted > cpus) {
            let runs = Err(format!("needs {wanted} CPUs; {cpus} may be used here"));
            return Ok(Self { described, runs });
        }
        let named = |wrong: String| format!("{}: {wrong}", described.id);
        let mut runs = Vec::new();
        for run in &described.runs {
            let mut planned = PlannedRun::new(run, machine, calibration).map_err(named)?;
            if matches!(planned.work, Work::Guest(_)) {
                // No other verb starts a guest.
                planned.command = format!("locktoll reproduce {} --fresh", described.id);
            }
            runs.push(planned);
        }
        for check in &described.checks {
            selections(check, &runs, cpus as u32)
                .map_err(|wrong| named(format!("check '{}': {wrong}", check.what)))?;
        }
        let mut repeats = runs.iter().filter_map(|run| match run.work {
            Work::Bench { repeat, .. } => Some(repeat),
            _ => None,
        });
        let first = repeats.next();
        if repeats.any(|repeat| Some(repeat) != first) {
            return Err(named(
                "bench runs of one claim are interleaved: they take the same --repeat".to_owned(),
            ));
        }
        for check in &described.checks {
            run_twice(check, &mut runs, cpus as u32).map_err(named)?;
        }
        let refused = (runs.iter())
            .filter_map(|run| run.cells().first())
            .find_map(Cell::raising_refused)
            .map(|reason| format!("--raise-while-holding: {reason}"));
        Ok(Self {
            described,
            runs: refused.map_or(Ok(runs), Err),
        })
    }

    /// Returns how long the claim is expected to take.
    pub fn seconds(&self) -> f64 {
        match &self.runs {
            Ok(runs) if !runs.is_empty() => self.described.seconds,
            _ => 0.0,
        }
    }
}

impl PlannedRun {
    fn new(run: &Run, machine: &Machine, calibration: Calibration) -> Result<Self, String> {
        let planned = |command: String, work| Self {
            run: run.clone(),
            command,
            work,
        };
        if let Some(flags) = &run.machine {
            let plan = match flags.trim() {
                "" => locktoll_lab::probe::Plan::full(),
                "--quick" => locktoll_lab::probe::Plan::quick(),
                _ => return Err(format!("machine {flags}: accepted: no flag, or --quick")),
            };
            let command = format!("locktoll machine {flags}").trim_end().to_owned();
            return Ok(planned(command, Work::Machine(plan)));
        }
        if let Some(flags) = &run.kernel {
            let plan = KernelPlan::parse(&fill_in(flags, &machine.usable_cpus)?)?;
            return Ok(planned(plan.command(), Work::Kernel(plan)));
        }
        if let Some(flags) = &run.guest {
            let plan = GuestPlan::parse(&fill_in(flags, &machine.usable_cpus)?)?;
            return Ok(planned(String::new(), Work::Guest(plan)));
        }
        let flags = run
            .bench
            .as_ref()
            .or(run.live.as_ref())
            .ok_or("a run without a verb")?;
        let flags = fill_in(flags, &machine.usable_cpus)?;
        let args = bench_args(&flags)?;
        let experiment = bench::experiment(&args, machine).map_err(|failure| match failure {
            Failure::Usage(wrong) => format!("bench {flags}: {wrong}"),
            other => other.to_string(),
        })?;
        let mut cells = experiment.cells(calibration, &machine.topology);
        let repeat = experiment.repeat;
        let work = match (&run.live, cells.len()) {
            (None, _) => Work::Bench {
                cells,
                again: Vec::new(),
                repeat,
            },
            (Some(_), 1) => Work::Live {
                slice: live_slice(cells[0].length)
                    .map_err(|wrong| format!("live {flags}: {wrong}"))?,
                cell: Box::new(cells.remove(0)),
                repeat,
            },
            (Some(_), spanned) => {
                return Err(format!(
                    "live {flags}: spans {spanned} cells; one is accepted"
                ));
            }
        };
        Ok(planned(format!("locktoll bench {flags}"), work))
    }

    /// Returns the cells from which checks select.
    pub fn cells(&self) -> &[Cell] {
        match &self.work {
            Work::Bench { cells, .. } => cells,
            Work::Live { .. } | Work::Kernel(_) | Work::Guest(_) | Work::Machine(_) => &[],
        }
    }

    /// Returns the number of steps for a progress bar.
    pub fn steps(&self) -> usize {
        match &self.work {
            Work::Bench {
                cells,
                again,
                repeat,
            } => count_slices_again(cells, again, *repeat),
            Work::Live { repeat, .. } => 2 * *repeat as usize,
            Work::Kernel(plan) => plan.repeat as usize,
            Work::Guest(plan) => plan.rounds() as usize,
            Work::Machine(_) => MACHINE_STEPS,
        }
    }
}

/// The steps of the price list on the progress bar, divided among its sections.
pub const MACHINE_STEPS: usize = 100;

/// Returns the length of a slice for observing the system, which must be a time, and long enough.
fn live_slice(length: Length) -> Result<Duration, String> {
    match length {
        Length::Time { ns } if Duration::from_nanos(ns) >= SHORTEST => Ok(Duration::from_nanos(ns)),
        _ => Err(format!("needs a --duration of {SHORTEST:?} or more")),
    }
}

/// Parses flags in the same way as the command line.
fn bench_args(flags: &str) -> Result<BenchArgs, String> {
    let command = BenchArgs::augment_args(clap::Command::new("bench").no_binary_name(true));
    let read = command
        .try_get_matches_from(flags.split_whitespace())
        .and_then(|found| BenchArgs::from_arg_matches(&found));
    let args =
        read.map_err(|error| format!("bench {flags}: {}", one_line(&error.render().to_string())))?;
    let output = &args.output;
    if args.list || output.json || output.format.is_some() || output.output.is_some() {
        return Err(format!(
            "bench {flags}: --list and the form of output do not belong here"
        ));
    }
    Ok(args)
}

#[cfg(test)]
mod tests;
