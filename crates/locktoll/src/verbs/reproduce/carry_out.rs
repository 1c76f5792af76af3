//! Runs a claim and judges it.

use std::time::{Duration, Instant};

use locktoll_lab::cell::{Cell, Length};
use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Watch;
use locktoll_lab::runner::{Executor, SliceFailure, count_slices, measure};

use super::plan::{Plan, PlannedRun};
use super::progress::Progress;
use super::system::Counters;
use crate::interrupt::Interrupt;
use crate::report::{Claim, verdict_words};
use crate::reproduce::evidence::{BenchRun, Evidence, Gathered, LiveRun, SystemLook};
use crate::reproduce::{judge, series, shape};
use crate::slice_process::ChildProcess;

/// What it takes to run claims.
pub struct Laboratory<'a> {
    /// Where.
    pub machine: &'a Machine,
    /// Told to stop.
    pub interrupt: Interrupt,
    /// Told how far it is.
    pub progress: Progress,
}

/// The user wanted to stop; a claim half run is not judged.
pub struct Stopped;

impl Laboratory<'_> {
    /// Runs and judges a claim. Whatever goes wrong with it is its verdict, and nobody else's.
    pub fn claim(&mut self, plan: &Plan<'_>) -> Result<Claim, Stopped> {
        let described = plan.described;
        let began = Instant::now();
        let (planned, refused) = match &plan.runs {
            Ok(runs) => (&runs[..], None),
            Err(reason) => (&[][..], Some(reason)),
        };
        let slices = planned.iter().map(slices_of).sum();
        let name = format!("{} {}", described.id, described.title);
        self.progress.begin(&name, plan.seconds(), slices);
        let watch = Watch::start();
        let mut evidence = Evidence {
            runs: Vec::new(),
            cpus: self.machine.usable_cpus.len() as u32,
        };
        for run in planned {
            let gathered = match run.run.live.is_some() {
                true => self.live(run)?,
                false => self.bench(run)?,
            };
            self.progress.run_over(slices_of(run));
            evidence.runs.push((run.run.clone(), gathered));
        }
        let checks: Vec<_> = described
            .checks
            .iter()
            .map(|check| {
                let number = match refused {
                    Some(reason) => Err(reason.clone()),
                    None => shape::number(check, &evidence),
                };
                judge::check(check, number)
            })
            .collect();
        let (verdict, because) = judge::claim(described, &checks);
        let ran = !planned.is_empty();
        Ok(Claim {
            id: described.id.clone(),
            title: described.title.clone(),
            claim: described.claim.clone(),
            source: described.source.clone(),
            published: described.published.clone(),
            verdict,
            because,
            note: described.note.clone(),
            checks,
            series: series::of(described, &evidence),
            commands: planned.iter().map(|run| run.command.clone()).collect(),
            warnings: if ran {
                watch.finish().warnings
            } else {
                Vec::new()
            },
            duration_ns: match ran {
                true => began.elapsed().as_nanos() as u64,
                false => 0,
            },
        })
    }

    fn bench(&mut self, run: &PlannedRun) -> Result<Result<Gathered, String>, Stopped> {
        let mut executor = match ChildProcess::new(self.interrupt.clone()) {
            Ok(executor) => executor,
            Err(error) => return Ok(Err(format!("cannot start processes: {error}"))),
        };
        let measured = measure(
            &run.cells,
            run.experiment.repeat,
            &mut executor,
            &mut self.progress,
        );
        match measured.partial {
            true => Err(Stopped),
            false => Ok(Ok(Gathered::Bench(BenchRun {
                cells: run.cells.clone(),
                measured,
            }))),
        }
    }

    fn live(&mut self, run: &PlannedRun) -> Result<Result<Gathered, String>, Stopped> {
        let mut executor = match ChildProcess::new(self.interrupt.clone()) {
            Ok(executor) => executor,
            Err(error) => return Ok(Err(format!("cannot start processes: {error}"))),
        };
        let mut looks = LiveRun::default();
        for round in 0..run.experiment.repeat {
            self.progress.show(2 * round as usize);
            if self.progress.interrupted() {
                return Err(Stopped);
            }
            let cell = Cell {
                round,
                ..run.cells[0].clone()
            };
            match look_twice(&mut executor, &cell) {
                Ok((before, during)) => {
                    looks.before.push(before);
                    looks.during.push(during);
                }
                Err(SliceFailure::Interrupted) => return Err(Stopped),
                Err(failure) => return Ok(Err(failure.to_string())),
            }
        }
        Ok(Ok(Gathered::Live(looks)))
    }
}

/// The system by itself, and with the cell running.
fn look_twice(
    executor: &mut impl Executor,
    cell: &Cell,
) -> Result<(SystemLook, SystemLook), SliceFailure> {
    let read = || Counters::read().map_err(SliceFailure::Refused);
    let start = read()?;
    std::thread::sleep(match cell.length {
        Length::Time { ns } => Duration::from_nanos(ns),
        Length::Rounds { .. } => Duration::from_millis(500),
    });
    let between = read()?;
    executor.run(cell)?;
    let end = read()?;
    Ok((between.since(&start), end.since(&between)))
}

/// Slices of a run, for the progress bar.
fn slices_of(run: &PlannedRun) -> usize {
    match run.run.live.is_some() {
        true => 2 * run.experiment.repeat as usize,
        false => count_slices(&run.cells, run.experiment.repeat),
    }
}

/// One line for a log: `A5  holds: ...`.
pub fn line(claim: &Claim) -> String {
    format!(
        "{:4} {}: {}",
        claim.id,
        verdict_words(claim.verdict),
        claim.because
    )
}
