//! From a description to runs that can be carried out on this machine, all of it checked before anything starts.

use std::time::Duration;

use clap::{Args, FromArgMatches};
use locktoll_lab::cell::{Calibration, Cell, Length, Part};
use locktoll_lab::machine::Machine;
use locktoll_lab::runner::count_slices_again;

use super::checks::{run_twice, selections};
use super::kernel_plan::KernelPlan;
use crate::cli::{BenchArgs, one_line};
use crate::exit::Failure;
use crate::reproduce::description::{Description, Run};
use crate::reproduce::placeholders::fill_in;
use crate::verbs::bench;

/// The shortest slice of a live run in which there is something to see.
const SHORTEST: Duration = Duration::from_millis(400);

/// A claim that is ready to be run, or known not to run here.
pub struct Plan<'a> {
    /// The claim.
    pub described: &'a Description,
    /// What is to be run, or why nothing is.
    pub runs: Result<Vec<PlannedRun>, String>,
}

/// One run with its flags understood.
pub struct PlannedRun {
    /// As described.
    pub run: Run,
    /// The command that does the same by hand.
    pub command: String,
    /// What there is to do.
    pub work: Work,
}

/// What a run does.
pub enum Work {
    /// Cells, in so many rounds, interleaved with those of the claim's other bench runs.
    Bench {
        /// The cells.
        cells: Vec<Cell>,
        /// Which of them are run twice in each round, and what of them: every check has an A/A pair of the figure it compares.
        again: Vec<(usize, Part)>,
        /// Rounds.
        repeat: u32,
    },
    /// One cell between looks at the whole system.
    Live {
        /// The cell.
        cell: Box<Cell>,
        /// Rounds.
        repeat: u32,
        /// Length of a slice.
        slice: Duration,
    },
    /// A build under the watch of the kernel's locks.
    Kernel(KernelPlan),
    /// The price list.
    Machine(locktoll_lab::probe::Plan),
}

impl<'a> Plan<'a> {
    /// Works out the runs of `described`.
    ///
    /// # Errors
    /// One line on what is wrong with the description.
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
            runs.push(PlannedRun::new(run, machine, calibration).map_err(named)?);
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
            .find_map(Cell::priorities_refused);
        Ok(Self {
            described,
            runs: refused.map_or(Ok(runs), Err),
        })
    }

    /// How long it is to take.
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

    /// The cells among which checks select.
    pub fn cells(&self) -> &[Cell] {
        match &self.work {
            Work::Bench { cells, .. } => cells,
            Work::Live { .. } | Work::Kernel(_) | Work::Machine(_) => &[],
        }
    }

    /// Steps of it, for a progress bar.
    pub fn steps(&self) -> usize {
        match &self.work {
            Work::Bench {
                cells,
                again,
                repeat,
            } => count_slices_again(cells, again, *repeat),
            Work::Live { repeat, .. } => 2 * *repeat as usize,
            Work::Kernel(plan) => plan.repeat as usize,
            Work::Machine(_) => MACHINE_STEPS,
        }
    }
}

/// Steps of the price list on the bar: its sections are shares of these.
pub const MACHINE_STEPS: usize = 100;

/// Looks at the system take a time that must be known, and long enough.
fn live_slice(length: Length) -> Result<Duration, String> {
    match length {
        Length::Time { ns } if Duration::from_nanos(ns) >= SHORTEST => Ok(Duration::from_nanos(ns)),
        _ => Err(format!("needs a --duration of {SHORTEST:?} or more")),
    }
}

/// Reads flags as the command line does.
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
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use locktoll_lab::contender::{self, Family};

    use super::*;
    use crate::reproduce::catalogue::Catalogue;
    use crate::reproduce::elsewhere::{OnWindows, System};

    fn machine(cpus: usize) -> Machine {
        Machine {
            usable_cpus: (0..cpus).collect(),
            ..Machine::observe()
        }
    }

    #[test]
    fn every_claim_can_be_planned_on_small_and_large_machines() {
        let catalogue = Catalogue::carried().unwrap();
        let all = catalogue.named(&[]).unwrap();
        for cpus in [1, 2, 3, 4, 64, 256] {
            let machine = machine(cpus);
            for described in &all {
                let plan = Plan::new(described, &machine, Calibration { loops_per_ns: 1.0 });
                if let Err(wrong) = plan {
                    panic!("{cpus} CPUs: {wrong}");
                }
            }
        }
    }

    #[test]
    fn every_check_of_a_bench_run_has_an_a_a_pair_and_the_time_is_as_described() {
        let catalogue = Catalogue::carried().unwrap();
        let mut wrong = Vec::new();
        for described in catalogue.named(&[]).unwrap() {
            let plan = Plan::new(described, &machine(2), Calibration { loops_per_ns: 1.0 });
            wrong.extend(not_as_described(&plan.unwrap()));
        }
        assert!(wrong.is_empty(), "{}", wrong.join("; "));
    }

    /// Whether a check lacks its A/A pair, or the time is not as described.
    fn not_as_described(plan: &Plan<'_>) -> Option<String> {
        let described = plan.described;
        let (mut seconds, mut pairs) = (0.0, None);
        for run in plan.runs.as_ref().ok()? {
            seconds += match &run.work {
                Work::Bench {
                    cells,
                    again,
                    repeat,
                } => {
                    pairs = Some(pairs.unwrap_or(0) + again.len());
                    // A process for each slice, and the empty loop's slice, come to some 0.01 s.
                    let length = |part| match (cells[0].length, part) {
                        (Length::Time { ns }, Part::Throughput) => ns as f64 / 1e9 + 0.01,
                        (Length::Time { ns }, Part::Waiting) => ns as f64 / 2e9 + 0.01,
                        (Length::Rounds { .. }, _) => 0.0,
                    };
                    let each = length(Part::Throughput) + length(Part::Waiting);
                    let twice: f64 = again.iter().map(|(_, part)| length(*part)).sum();
                    f64::from(*repeat) * (0.06 + cells.len() as f64 * each + twice)
                }
                Work::Live { repeat, slice, .. } => {
                    f64::from(*repeat) * (2.0 * slice.as_secs_f64())
                }
                Work::Kernel(plan) => f64::from(plan.repeat) * (plan.length.as_secs_f64() + 0.05),
                Work::Machine(plan) if plan.quick => 6.0,
                Work::Machine(_) => 14.0,
            };
        }
        assert_ne!(pairs, Some(0), "{}", described.id);
        let close = (0.85..=1.25).contains(&(described.seconds / seconds.max(1.0)));
        (seconds > 0.0 && !close).then(|| {
            format!(
                "{}: {} s, not {seconds:.0}",
                described.id, described.seconds
            )
        })
    }

    /// Locks that every system has: ours, and Rust's.
    fn everywhere(name: &str) -> bool {
        contender::find(name).is_ok_and(|entry| matches!(entry.family, Family::Ours | Family::Rust))
            && !name.contains("pthread")
    }

    #[test]
    fn every_claim_can_be_planned_for_the_other_system_with_the_locks_that_it_has() {
        let (other, name) = match System::here() {
            System::Linux => (System::Windows, "Windows"),
            System::Windows => (System::Linux, "Linux"),
        };
        let catalogue = Catalogue::carried_on(other).unwrap();
        let (mut wrong, mut foreign) = (Vec::new(), BTreeSet::new());
        let all = catalogue.named(&[]).unwrap().into_iter();
        for described in all.filter(|described| described.cannot_run.is_none()) {
            // Each lock of the other system's own is played by one of this system's own, since flags are read with this
            // system's registry.
            let mut own = (contender::registry().iter())
                .map(|entry| entry.name)
                .filter(|name| !everywhere(name));
            let mut players = BTreeMap::new();
            let flags = described.runs.iter().filter_map(|run| run.bench.as_deref());
            for lock in flags.flat_map(bench_locks).filter(|lock| !everywhere(lock)) {
                let unknown = contender::find(&lock).expect_err(&described.id);
                let elsewhere = unknown.elsewhere.unwrap_or_else(|| panic!("{lock}"));
                assert_eq!(elsewhere.system, name, "{}: {lock}", described.id);
                foreign.insert(lock.clone());
                players
                    .entry(lock)
                    .or_insert_with(|| own.next().unwrap().to_owned());
            }
            let windows = OnWindows {
                locks: players,
                ..OnWindows::default()
            };
            let played = Description {
                windows: Some(windows),
                ..described.clone()
            };
            let played = played.on(System::Windows);
            for cpus in [1, 2, 64] {
                let plan = Plan::new(&played, &machine(cpus), Calibration { loops_per_ns: 1.0 });
                let plan = plan.unwrap_or_else(|wrong| panic!("{cpus} CPUs: {wrong}"));
                wrong.extend((cpus == 2).then(|| not_as_described(&plan)).flatten());
            }
        }
        assert!(foreign.len() >= 7, "{foreign:?}");
        assert!(wrong.is_empty(), "{}", wrong.join("; "));
    }

    fn bench_locks(flags: &str) -> Vec<String> {
        let flags = fill_in(flags, &[0, 1]).unwrap();
        bench_args(&flags).unwrap().lock.0
    }

    #[test]
    fn every_claim_says_what_becomes_of_it_on_windows() {
        let raw = Catalogue::carried_on(System::Linux).unwrap();
        let there = Catalogue::carried_on(System::Windows).unwrap();
        for (raw, there) in raw
            .named(&[])
            .unwrap()
            .into_iter()
            .zip(there.named(&[]).unwrap())
        {
            assert!(raw.windows.is_some() || raw.not_yet.is_some(), "{}", raw.id);
            let first_letter = &raw.id[..1];
            if let Some(reason) = &there.cannot_run {
                assert!(reason.starts_with("needs Linux: "), "{}", raw.id);
                assert!(first_letter != "E", "{} can run there", raw.id);
            }
        }
    }

    #[test]
    fn all_claims_together_fit_into_a_quarter_of_an_hour() {
        let catalogue = Catalogue::carried().unwrap();
        let all = catalogue.named(&[]).unwrap();
        let seconds: f64 = all.iter().map(|described| described.seconds).sum();
        assert!(seconds <= 840.0, "{seconds} s");
    }
}
