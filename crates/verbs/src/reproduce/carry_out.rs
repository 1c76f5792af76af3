//! Runs a claim and judges it.

use std::cmp::Ordering;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use locktoll_lab::cell::Cell;
use locktoll_lab::machine::Machine;
use locktoll_lab::noise::{Noise, Watch};
use locktoll_lab::probe::{self, Prices};
use locktoll_lab::runner::{SliceFailure, count_slices_again, measure_again};
use locktoll_lab::stats::Look;

use super::attempt::{Attempt, Rounds, disturbed};
use super::figure_source;
use super::guest;
use super::guest_plan::GuestPlan;
use super::kernel_plan::{Host, KernelPlan};
use super::plan::{Plan, PlannedRun, Work};
use super::progress::Progress;
use super::system_watch;
use super::system_watch::look_twice;
use crate::reproduce::bench_run::BenchRun;
use crate::reproduce::evidence::{Evidence, Gathered, LiveRun};
use crate::reproduce::means::Judged;
use crate::reproduce::{judge, means, series, shape, spread};
use crate::slices::ChildProcess;
use locktoll_results::reproduction::{Check, Claim};
use locktoll_shown::verdict_words;
use locktoll_terminal::interrupt::Interrupt;

/// The means to run claims.
pub struct Laboratory<'a> {
    /// The machine that the claims run on.
    pub machine: &'a Machine,
    /// Says whether to stop.
    pub interrupt: Interrupt,
    /// Shows the progress.
    pub progress: Progress,
    /// The kernel image that the user named for guests.
    pub guest_kernel: Option<PathBuf>,
    /// Price lists that have already been made; several claims share them.
    pub prices: Vec<MadePrices>,
}

/// A price list, with the noise while it was made, which counts for each claim that uses the list.
pub struct MadePrices {
    plan: probe::Plan,
    prices: Prices,
    noise: Noise,
}

/// The user wanted to stop; a claim that was interrupted is not judged.
pub struct Stopped;

impl Laboratory<'_> {
    /// Runs a claim, for a first look. Any failure becomes the verdict on this claim and affects no other.
    pub fn attempt<'a>(&mut self, plan: &'a Plan<'a>, look: Look) -> Result<Attempt<'a>, Stopped> {
        let began = Instant::now();
        let (mut evidence, noises) = self.gather(plan, Rounds::First)?;
        evidence.look = look;
        Ok(Attempt {
            plan,
            evidence,
            noises,
            duration: began.elapsed(),
            tries: 1,
            thrown_away: 0,
        })
    }

    /// Adds rounds for the next look. Rounds during which the machine was busy are thrown away, and so is the look.
    pub fn look_again(&mut self, attempt: &mut Attempt<'_>) -> Result<(), Stopped> {
        let Some((rounds, look)) = attempt.next(attempt.disturbed(self.machine).is_some()) else {
            return Ok(());
        };
        let began = Instant::now();
        let (evidence, noises) = self.gather(attempt.plan, rounds)?;
        attempt.duration += began.elapsed();
        attempt.tries += 1;
        match rounds {
            Rounds::First | Rounds::Again => {
                attempt.thrown_away += 1;
                attempt.evidence = Evidence { look, ..evidence };
                attempt.noises = noises;
            }
            Rounds::More(_) if disturbed(&noises, self.machine).is_some() => {
                attempt.thrown_away += 1;
            }
            Rounds::More(_) => {
                attempt.evidence.extend(evidence);
                attempt.evidence.look = look;
                attempt.noises.extend(noises);
            }
        }
        Ok(())
    }

    /// Judges a claim by the results so far.
    pub fn claim(&self, attempt: &Attempt<'_>) -> Claim {
        let Attempt { plan, evidence, .. } = attempt;
        let described = plan.described;
        let planned = plan.runs.as_deref().unwrap_or_default();
        let judged = self.judge(plan, evidence, &attempt.noises);
        let checks: Vec<Check> = judged.iter().map(|it| it.check.clone()).collect();
        let (verdict, because) = judge::claim(described, &checks);
        Claim {
            id: described.id.clone(),
            title: described.title.clone(),
            claim: described.claim.clone(),
            source: described.source.clone(),
            published: described.published.clone(),
            verdict,
            because,
            means: means::sentence(described, &judged, verdict),
            note: described.note.clone(),
            checks,
            measured_in: evidence.measured_in(),
            series: series::of(described, evidence),
            commands: planned.iter().map(|run| run.command.clone()).collect(),
            warnings: attempt.warnings(),
            figures_from: evidence.figures_from(described),
            rounds: evidence.rounds(),
            looks: match evidence.look {
                Look::OfSeveral(look) if !planned.is_empty() => Some(look),
                Look::OfSeveral(_) | Look::Only => None,
            },
            two_modes: spread::two_modes(evidence),
            placement: spread::placement(evidence),
            duration_ns: match planned.is_empty() {
                true => 0,
                false => attempt.duration.as_nanos() as u64,
            },
        }
    }

    /// Carries out the runs of a claim, and returns their results and the noise during each measurement.
    fn gather(
        &mut self,
        plan: &Plan<'_>,
        rounds: Rounds,
    ) -> Result<(Evidence, Vec<Noise>), Stopped> {
        let planned = plan.runs.as_deref().unwrap_or_default();
        let times = rounds.times();
        let slices: usize = planned.iter().map(PlannedRun::steps).sum();
        let name = format!("{} {}", plan.described.id, plan.described.title);
        let seconds = plan.seconds() * f64::from(times);
        self.progress.begin(&name, seconds, slices * times as usize);
        let mut noises = Vec::new();
        let mut evidence = Evidence {
            runs: Vec::new(),
            cpus: self.machine.usable_cpus.len() as u32,
            look: Look::Only,
        };
        let mut benches = self.benches(planned, times, &mut noises)?.into_iter();
        for run in planned {
            let gathered = match &run.work {
                Work::Bench { .. } => {
                    let none = || Err("was not run".to_owned());
                    benches.next().unwrap_or_else(none).map(Gathered::Bench)
                }
                Work::Live {
                    cell,
                    repeat,
                    slice,
                } => {
                    let watch = Watch::start();
                    let by_cause = plan.described.asks_for_causes();
                    let gathered = self.live(cell, *repeat * times, *slice, by_cause)?;
                    noises.push(watch.finish());
                    self.progress.run_over(run.steps());
                    gathered
                }
                Work::Machine(_) if matches!(rounds, Rounds::More(_)) => {
                    Err("has no rounds to add".to_owned())
                }
                Work::Kernel(plan) => {
                    let watch = Watch::start();
                    let gathered = self.kernel(&plan.times(times))?;
                    let mut noise = watch.finish();
                    // For such a run, a busy host is not a disturbance.
                    if plan.host == Some(Host::Busy) {
                        noise.steal_share = noise.steal_share.map(|_| 0.0);
                    }
                    noises.push(noise);
                    self.progress.run_over(run.steps());
                    gathered
                }
                Work::Guest(plan) => {
                    let watch = Watch::start();
                    let gathered = self.guest(&plan.times(times))?;
                    noises.push(watch.finish());
                    self.progress.run_over(run.steps());
                    gathered
                }
                Work::Machine(plan) => {
                    if rounds == Rounds::Again {
                        self.forget_disturbed_prices();
                    }
                    let (prices, noise) = self.machine(plan)?;
                    noises.push(noise);
                    self.progress.run_over(run.steps());
                    Ok(Gathered::Machine(Box::new(prices)))
                }
            };
            evidence.runs.push((run.run.clone(), gathered));
        }
        Ok((evidence, noises))
    }

    /// Judges the checks of a claim by the results of its runs.
    fn judge(&self, plan: &Plan<'_>, evidence: &Evidence, noises: &[Noise]) -> Vec<Judged> {
        let disturbed = disturbed(noises, self.machine);
        plan.described
            .checks
            .iter()
            .map(|check| {
                let number = match &plan.runs {
                    Err(reason) => Err(reason.clone()),
                    Ok(_) => shape::number(check, evidence),
                };
                let against_published = (number.as_ref())
                    .map_or(Ordering::Equal, |it| judge::against_published(check, it));
                let look = evidence.look;
                let judged = judge::check(look, check, number, disturbed.as_deref());
                Judged {
                    check: judge::on_stand_in(judged, self.machine.stand_in.as_deref()),
                    against_published,
                }
            })
            .collect()
    }

    /// Carries out all bench runs of a claim together, with their cells interleaved, so that drift on the machine affects all
    /// cells alike.
    fn benches(
        &mut self,
        planned: &[PlannedRun],
        times: u32,
        noises: &mut Vec<Noise>,
    ) -> Result<Vec<Result<BenchRun, String>>, Stopped> {
        let (mut all, mut all_again, mut lengths, mut repeats) =
            (Vec::new(), Vec::new(), Vec::new(), 0);
        for run in planned {
            if let Work::Bench {
                cells,
                again,
                repeat,
            } = &run.work
            {
                let before = all.len();
                all_again.extend(again.iter().map(|(index, part)| (before + index, *part)));
                all.extend(cells.iter().cloned());
                lengths.push(cells.len());
                repeats = *repeat * times;
            }
        }
        if all.is_empty() {
            return Ok(Vec::new());
        }
        let mut executor = match ChildProcess::new(self.interrupt.clone()) {
            Ok(executor) => executor,
            Err(error) => {
                let refused = || Err(format!("cannot start processes: {error}"));
                return Ok(lengths.iter().map(|_| refused()).collect());
            }
        };
        let watch = Watch::start();
        let measured = measure_again(&all, &all_again, repeats, &mut executor, &mut self.progress);
        noises.push(watch.finish());
        if measured.partial {
            return Err(Stopped);
        }
        self.progress
            .run_over(count_slices_again(&all, &all_again, repeats));
        let mut samples = measured.samples.into_iter();
        let mut cells = all.into_iter();
        let runs = lengths.into_iter().map(|length| {
            Ok(BenchRun {
                cells: cells.by_ref().take(length).collect(),
                samples: samples.by_ref().take(length).collect(),
            })
        });
        Ok(runs.collect())
    }

    /// Price lists that were made while the machine was busy are made again.
    fn forget_disturbed_prices(&mut self) {
        let machine = self.machine;
        self.prices
            .retain(|made| disturbed(std::slice::from_ref(&made.noise), machine).is_none());
    }

    fn machine(&mut self, plan: &probe::Plan) -> Result<(Prices, Noise), Stopped> {
        if let Some(made) = self.prices.iter().find(|made| made.plan == *plan) {
            return Ok((made.prices.clone(), made.noise.clone()));
        }
        let watch = Watch::start();
        let prices = probe::measure(plan, self.machine, &mut self.progress);
        if self.progress.stop() {
            return Err(Stopped);
        }
        let noise = watch.finish();
        self.prices.push(MadePrices {
            plan: *plan,
            prices: prices.clone(),
            noise: noise.clone(),
        });
        Ok((prices, noise))
    }

    fn kernel(&mut self, plan: &KernelPlan) -> Result<Result<Gathered, String>, Stopped> {
        let (progress, machine) = (&mut self.progress, self.machine);
        let carried_out = system_watch::carry_out(plan, machine, |round| {
            progress.show(round as usize);
            !progress.stop()
        });
        match carried_out {
            Ok(Some(run)) => Ok(Ok(Gathered::Kernel(run))),
            Ok(None) => Err(Stopped),
            Err(why) => Ok(Err(why)),
        }
    }

    fn guest(&mut self, plan: &GuestPlan) -> Result<Result<Gathered, String>, Stopped> {
        let (progress, machine) = (&mut self.progress, self.machine);
        let image = self.guest_kernel.as_deref();
        let carried_out = guest::carry_out(plan, machine, image, |round| {
            progress.show(round as usize);
            !progress.stop()
        });
        match carried_out {
            Ok(Some(run)) => Ok(Ok(Gathered::Guest(run))),
            Ok(None) => Err(Stopped),
            Err(why) => Ok(Err(why)),
        }
    }

    fn live(
        &mut self,
        cell: &Cell,
        repeat: u32,
        slice: Duration,
        by_cause: bool,
    ) -> Result<Result<Gathered, String>, Stopped> {
        let mut executor = match ChildProcess::new(self.interrupt.clone()) {
            Ok(executor) => executor,
            Err(error) => return Ok(Err(format!("cannot start processes: {error}"))),
        };
        let (counter, causes_from) = match by_cause {
            true => figure_source::of_causes(),
            false => (None, None),
        };
        let mut looks = LiveRun {
            causes_from,
            ..LiveRun::default()
        };
        for round in 0..repeat {
            self.progress.show(2 * round as usize);
            if self.progress.stop() {
                return Err(Stopped);
            }
            let cell = Cell {
                round,
                ..cell.clone()
            };
            match look_twice(&mut executor, &cell, slice, counter.as_ref()) {
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

/// Returns one line for a log: `A5  holds: ...`.
pub fn line(claim: &Claim) -> String {
    format!(
        "{:4} {}: {}",
        claim.id,
        verdict_words(claim.verdict),
        claim.because
    )
}
