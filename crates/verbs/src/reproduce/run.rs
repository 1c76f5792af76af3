//! The verb: runs the chosen claims one after the other, and keeps each result at once.

use std::time::Duration;

use locktoll_lab::cell::Calibration;
use locktoll_lab::machine::Machine;
use locktoll_lab::stats::Look;

use super::attempt::Attempt;
use super::budget::{self, Budget, Open};
use super::carry_out::{Laboratory, line};
use super::list;
use super::merge;
use super::plan::Plan;
use super::progress::Progress;
use crate::present::Target;
use crate::reproduce::catalogue::Catalogue;
use crate::reproduce::description::Description;
use crate::reproduce::earlier_results::{State, default_file, signature};
use crate::reproduce::flags::ReproduceArgs;
use locktoll_results::Made;
use locktoll_results::reproduction::{Claim, ClaimVerdict, Reproduction};
use locktoll_shown::{Formats, JSON, Subject, TEXT};
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::output;
use locktoll_terminal::quantity::{counted, duration};
use locktoll_terminal::system::folders;

/// Runs the verb.
pub fn run(args: &ReproduceArgs) -> Outcome {
    let catalogue = match &args.experiments {
        Some(folder) => Catalogue::in_folder(folder).map_err(Failure::Usage)?,
        None => Catalogue::carried().map_err(|wrong| Failure::Run(anyhow::Error::msg(wrong)))?,
    };
    if !args.merge.is_empty() {
        return merge::run(args, &catalogue);
    }
    let asked = catalogue.named(&args.claims).map_err(Failure::Usage)?;
    let machine = Machine::observe();
    let mut state = state(args, &machine)?;
    if args.list {
        return match args.format().name {
            TEXT => output::print(&list::text(&asked, &state)),
            JSON => output::print(&list::json(&asked, &state)),
            _ => Err(Failure::Usage(
                "--list has the formats text and json".to_owned(),
            )),
        };
    }
    let target = Target::of(args.output.as_deref());
    if let Some(refusal) =
        Formats::OfReproductions.refusal(args.format, args.json, args.output.as_deref())
    {
        return Err(Failure::Usage(refusal));
    }
    target.check(None, args.goes())?;
    let budget = args
        .budget_ns
        .map(|ns| Budget::new(Duration::from_nanos(ns)));
    let to_run = state.begin(&asked, args.claims.is_empty(), budget.is_some());
    let calibration = Calibration::measure();
    let plans = (to_run.iter())
        .map(|described| Plan::new(described, &machine, calibration))
        .collect::<Result<Vec<_>, _>>()
        .map_err(Failure::Usage)?;
    let kept = asked.len() - plans.len();
    let all = plans.len();
    let plans = match args.budget_ns {
        None => &plans[..],
        Some(ns) => fitting(&plans, ns as f64 / 1e9)?,
    };
    announce(plans, kept, all - plans.len(), args.budget_ns);
    let finished = carry_out(plans, &machine, &mut state, budget, args)?;
    let result = collect(&asked, &state, machine);
    target.put_in(args.format(), Subject::Reproduction(&result))?;
    conclude(&result, &plans[..finished], plans.len() - finished)
}

/// Returns the results of earlier runs; an empty state if results cannot be kept.
fn state(args: &ReproduceArgs, machine: &Machine) -> Result<State, Failure> {
    let signature = signature(locktoll_terminal::version::version(), machine);
    let file = match &args.state {
        Some(file) => Some(file.clone()),
        None => default_file(&signature, args.experiments.as_deref()),
    };
    match file {
        Some(file) if args.fresh => Ok(State::new(&signature, Some(file))),
        Some(file) => State::read(&signature, file).map_err(Failure::Usage),
        None => {
            output::say(&format!(
                "locktoll: {}: results are not kept (give --state)",
                folders::SAID_BY
            ));
            Ok(State::new(&signature, None))
        }
    }
}

/// Returns the plans that fit into a budget.
fn fitting<'a, 'b>(plans: &'a [Plan<'b>], seconds: f64) -> Result<&'a [Plan<'b>], Failure> {
    let each: Vec<f64> = plans.iter().map(Plan::seconds).collect();
    let fit = budget::fitting(&each, seconds);
    match (fit, plans.first()) {
        (0, Some(first)) => Err(Failure::Usage(format!(
            "a budget of {} is too short: {} takes {}",
            duration(seconds * 1e9),
            first.described.id,
            duration(first.seconds() * 1e9)
        ))),
        _ => Ok(&plans[..fit]),
    }
}

/// Announces how long the claims take.
fn announce(plans: &[Plan<'_>], kept: usize, cut_off: usize, budget_ns: Option<u64>) {
    let seconds: f64 = plans.iter().map(Plan::seconds).sum();
    if let Some(mut line) = announcement(seconds, plans.len(), kept) {
        if cut_off > 0 {
            line.push_str(&format!(
                "; {} not fit into the budget",
                counted(cut_off as u64, "claim does", "claims do")
            ));
        }
        if let Some(ns) = budget_ns {
            line.push_str(&format!(
                "; rounds are then added as long as {} last",
                duration(ns as f64)
            ));
        }
        output::say(&line);
    }
}

/// Announces `plans` claims that take `seconds`, and the claims whose results are kept.
fn announcement(seconds: f64, plans: usize, kept: usize) -> Option<String> {
    let from = match kept {
        0 => String::new(),
        _ => format!(
            "; {} from an earlier run (--fresh runs all)",
            counted(kept as u64, "claim", "claims")
        ),
    };
    if seconds > 0.0 {
        let claims = counted(plans as u64, "claim", "claims");
        let time = duration(seconds * 1e9);
        return Some(format!("locktoll: {claims}, about {time}{from}"));
    }
    (kept > 0).then(|| format!("locktoll: nothing to run{from}"))
}

/// Runs the plans and keeps each result; returns how many were finished.
fn carry_out(
    plans: &[Plan<'_>],
    machine: &Machine,
    state: &mut State,
    budget: Option<Budget>,
    args: &ReproduceArgs,
) -> Result<usize, Failure> {
    let interrupt = Interrupt::listen()?;
    let once: f64 = plans.iter().map(Plan::seconds).sum();
    let seconds = budget.map_or(once, |budget| budget.seconds().max(once));
    let look = match budget {
        None => Look::Only,
        Some(_) => Look::OfSeveral(1),
    };
    let mut laboratory = Laboratory {
        machine,
        interrupt: interrupt.clone(),
        progress: Progress::new(seconds, interrupt),
        guest_kernel: args.guest_kernel.clone(),
        prices: Vec::new(),
    };
    let mut keeper = Keeper {
        state,
        complained: false,
    };
    let mut finished = 0;
    let mut open = Vec::new();
    for plan in plans {
        if laboratory.progress.stop() {
            break;
        }
        let Ok(attempt) = laboratory.attempt(plan, look) else {
            break;
        };
        let claim = laboratory.claim(&attempt);
        laboratory.progress.end(&line(&claim));
        finished += 1;
        if attempt.is_open(&claim, laboratory.machine) {
            open.push(attempt);
        }
        keeper.keep(plan, claim);
    }
    if let Some(budget) = budget {
        look_again(&mut laboratory, open, budget, &mut keeper);
    }
    laboratory.progress.clear();
    Ok(finished)
}

/// Adds rounds to the claims that are not judged yet, until all are or the budget is used up.
fn look_again(
    laboratory: &mut Laboratory<'_>,
    mut open: Vec<Attempt<'_>>,
    budget: Budget,
    keeper: &mut Keeper<'_>,
) {
    while !laboratory.progress.stop() {
        open.retain(|attempt| attempt.next_seconds(laboratory.machine).is_some());
        let looks: Vec<Open> = (open.iter())
            .map(|attempt| Open {
                tries: attempt.tries,
                seconds: attempt.next_seconds(laboratory.machine).unwrap_or(0.0),
            })
            .collect();
        let Some(index) = budget::next(&looks, budget.seconds()) else {
            return;
        };
        if laboratory.look_again(&mut open[index]).is_err() {
            return;
        }
        let claim = laboratory.claim(&open[index]);
        laboratory.progress.end(&line(&claim));
        let plan = open[index].plan;
        if !open[index].is_open(&claim, laboratory.machine) {
            open.swap_remove(index);
        }
        keeper.keep(plan, claim);
    }
}

/// Keeps results, and complains once if it cannot.
struct Keeper<'a> {
    state: &'a mut State,
    complained: bool,
}

impl Keeper<'_> {
    fn keep(&mut self, plan: &Plan<'_>, claim: Claim) {
        if let Err(error) = self.state.keep(plan.described, claim)
            && !self.complained
        {
            self.complained = true;
            output::say(&format!(
                "locktoll: warning: results are not kept: {error:#}"
            ));
        }
    }
}

/// Collects the results of the requested claims, from this run and earlier ones.
fn collect(asked: &[&Description], state: &State, machine: Machine) -> Reproduction {
    let claims: Vec<Claim> = asked
        .iter()
        .filter_map(|described| Some(state.found(described)?.claim.clone()))
        .collect();
    Reproduction {
        schema: "locktoll.reproduce/1".to_owned(),
        version: locktoll_terminal::version::version().to_owned(),
        made: Some(Made::now()),
        machine,
        partial: claims.len() < asked.len(),
        claims,
    }
}

/// Returns the outcome of the command. A run that reached its end is a success, whatever the verdicts.
fn conclude(result: &Reproduction, finished: &[Plan<'_>], left: usize) -> Outcome {
    if left > 0 {
        return Err(Failure::Run(anyhow::anyhow!(
            "interrupted after {} of {} claims; finished claims are kept, and the same command continues",
            finished.len(),
            finished.len() + left
        )));
    }
    let run = |claim: &Claim| {
        finished
            .iter()
            .any(|plan| plan.described.id == claim.id && plan.seconds() > 0.0)
    };
    let mut ran = result.claims.iter().filter(|claim| run(claim)).peekable();
    let nothing = |claim: &Claim| {
        claim.verdict == ClaimVerdict::CannotBeJudgedHere
            && claim.checks.iter().all(|check| check.measured.is_none())
    };
    if ran.peek().is_some() && ran.all(nothing) {
        return Err(Failure::Run(anyhow::anyhow!(
            "nothing could be run; see the reasons above"
        )));
    }
    Ok(Ending::Done)
}

#[cfg(test)]
mod tests {
    use locktoll_made_up::made_up;

    use super::super::made_up::described;
    use super::super::plan::{PlannedRun, Work};
    use super::*;

    #[test]
    fn the_time_is_announced_and_what_is_kept() {
        assert_eq!(
            announcement(90.0, 2, 0).as_deref(),
            Some("locktoll: 2 claims, about 90.0 s")
        );
        assert_eq!(
            announcement(90.0, 1, 3).as_deref(),
            Some(
                "locktoll: 1 claim, about 90.0 s; 3 claims from an earlier run (--fresh runs all)"
            )
        );
        assert_eq!(
            announcement(0.0, 0, 1).as_deref(),
            Some("locktoll: nothing to run; 1 claim from an earlier run (--fresh runs all)")
        );
        assert_eq!(announcement(0.0, 1, 0), None);
    }

    /// Returns a claim as it is if nothing of it could be measured.
    fn unmeasured(id: &str) -> Claim {
        let mut claim = made_up::reproduction().claims.remove(0);
        claim.id = id.to_owned();
        claim.verdict = ClaimVerdict::CannotBeJudgedHere;
        for check in &mut claim.checks {
            check.measured = None;
        }
        claim
    }

    fn result(claim: Claim) -> Reproduction {
        Reproduction {
            claims: vec![claim],
            ..made_up::reproduction()
        }
    }

    #[test]
    fn a_run_that_could_measure_nothing_or_was_interrupted_fails() {
        let described = described("value = {}\nat_least = 1");
        let run = PlannedRun {
            run: described.runs[0].clone(),
            command: String::new(),
            work: Work::Machine(locktoll_lab::probe::Plan::quick()),
        };
        let ran = [Plan {
            described: &described,
            runs: Ok(vec![run]),
        }];
        let not_run = [Plan {
            described: &described,
            runs: Err("not here".to_owned()),
        }];
        let words =
            |claim: Claim, plans: &[Plan<'_>], left| match conclude(&result(claim), plans, left) {
                Ok(_) => String::new(),
                Err(Failure::Run(error)) => error.to_string(),
                Err(other) => panic!("{other:?}"),
            };
        let measured = made_up::reproduction().claims.remove(0);
        let interrupted = words(measured.clone(), &ran, 2);
        assert!(
            interrupted.starts_with("interrupted after 1 of 3 claims"),
            "{interrupted}"
        );
        let nothing = "nothing could be run; see the reasons above";
        assert_eq!(words(unmeasured("Z1"), &ran, 0), nothing);
        // It was not this run that measured nothing.
        assert_eq!(words(unmeasured("Z1"), &not_run, 0), "");
        assert_eq!(words(unmeasured("Z2"), &ran, 0), "");
        let of_z1 = |verdict, measured: &Claim| Claim {
            id: "Z1".to_owned(),
            verdict,
            ..measured.clone()
        };
        let open = ClaimVerdict::CannotBeJudgedHere;
        assert!(measured.checks.iter().any(|it| it.measured.is_some()));
        assert_eq!(words(of_z1(open, &measured), &ran, 0), "");
        let holds = of_z1(ClaimVerdict::Holds, &unmeasured("Z1"));
        assert_eq!(words(holds, &ran, 0), "");
    }

    #[test]
    fn a_result_is_partial_until_all_claims_are_there() {
        let described = described("value = {}\nat_least = 1");
        let other = Description {
            id: "Z2".to_owned(),
            ..described.clone()
        };
        let mut state = State::new("here", None);
        state.keep(&described, unmeasured("Z1")).unwrap();
        let machine = || made_up::reproduction().machine;
        let whole = collect(&[&described], &state, machine());
        assert_eq!((whole.claims.len(), whole.partial), (1, false));
        let part = collect(&[&described, &other], &state, machine());
        assert_eq!((part.claims.len(), part.partial), (1, true));
    }
}
