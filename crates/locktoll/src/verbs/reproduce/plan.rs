//! From a description to runs that can be carried out on this machine, all of it checked before anything starts.

use clap::{Args, FromArgMatches};
use locktoll_lab::cell::{Calibration, Cell};
use locktoll_lab::machine::Machine;
use locktoll_lab::plan::Experiment;

use crate::cli::{BenchArgs, one_line};
use crate::exit::Failure;
use crate::reproduce::description::{CheckDescription, Description, Run};
use crate::reproduce::evidence::{fitting, only, run_of};
use crate::reproduce::select::{Axis, Select, fill_in};
use crate::verbs::bench;

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
    /// What it measures.
    pub experiment: Experiment,
    /// The cells it spans.
    pub cells: Vec<Cell>,
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
        Ok(Self {
            described,
            runs: Ok(runs),
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
        let cells = experiment.cells(calibration, &machine.topology);
        if run.live.is_some() && cells.len() != 1 {
            return Err(format!(
                "live {flags}: spans {} cells; one is accepted",
                cells.len()
            ));
        }
        Ok(Self {
            run: run.clone(),
            command: format!("locktoll bench {flags}"),
            experiment,
            cells,
        })
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

/// Every selection must mean exactly one thing, every curve enough points.
fn selections(check: &CheckDescription, runs: &[PlannedRun], cpus: u32) -> Result<(), String> {
    let one = |select: &Select| {
        let run = &runs[run_of(select, runs.iter().map(|planned| &planned.run))?];
        match (&run.run.live, select.when) {
            (None, None) => only(&run.cells, select, cpus).map(drop),
            (Some(_), Some(_)) => Ok(()),
            (Some(_), None) => Err("when = \"before\" or \"during\" is missing".to_owned()),
            (None, Some(_)) => Err("when belongs to live runs".to_owned()),
        }
    };
    let curve = |select: &Select, along: Axis, least: usize| {
        let run = &runs[run_of(select, runs.iter().map(|planned| &planned.run))?];
        let fitting = fitting(&run.cells, select, cpus)?;
        let mut places: Vec<f64> = fitting
            .iter()
            .map(|index| along.of(&run.cells[*index]))
            .collect();
        let all = places.len();
        places.sort_by(f64::total_cmp);
        places.dedup();
        match (places.len() == all, all >= least) {
            (false, _) => Err("a curve's selection leaves several cells at one place".to_owned()),
            (true, false) => Err(format!(
                "a curve needs {least} points, the selection leaves {all}"
            )),
            (true, true) => Ok(places),
        }
    };
    check.value.iter().try_for_each(one)?;
    check
        .ratio
        .iter()
        .try_for_each(|ratio| one(&ratio.of).and_then(|()| one(&ratio.over)))?;
    check.order.iter().flatten().try_for_each(one)?;
    check.spread.iter().flatten().try_for_each(one)?;
    if let Some(exponent) = &check.exponent {
        curve(&exponent.of, exponent.along, 3)?;
    }
    if let Some(bend) = &check.beyond_line {
        let places = curve(&bend.of, bend.along, 3)?;
        let near = places.iter().filter(|place| **place <= bend.up_to).count();
        if near < 2 || near == places.len() {
            return Err(format!(
                "up_to = {} must leave two points or more before it and one behind",
                bend.up_to
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reproduce::catalogue::Catalogue;

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
    fn all_claims_together_fit_into_a_quarter_of_an_hour() {
        let catalogue = Catalogue::carried().unwrap();
        let all = catalogue.named(&[]).unwrap();
        let seconds: f64 = all.iter().map(|described| described.seconds).sum();
        assert!(seconds <= 840.0, "{seconds} s");
    }
}
