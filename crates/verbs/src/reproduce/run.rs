//! The verb: runs the chosen claims one after the other, and keeps each result at once.

use locktoll_lab::cell::Calibration;
use locktoll_lab::machine::Machine;

use super::carry_out::{Laboratory, line};
use super::list;
use super::plan::Plan;
use super::progress::Progress;
use crate::present::{Goes, Target};
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
    target.check(None, Goes::default())?;
    let to_run = state.begin(&asked, args.claims.is_empty());
    let calibration = Calibration::measure();
    let plans = (to_run.iter())
        .map(|described| Plan::new(described, &machine, calibration))
        .collect::<Result<Vec<_>, _>>()
        .map_err(Failure::Usage)?;
    announce(&plans, asked.len());
    let finished = carry_out(&plans, &machine, &mut state)?;
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

/// Announces how long the claims take.
fn announce(plans: &[Plan<'_>], asked: usize) {
    let seconds: f64 = plans.iter().map(Plan::seconds).sum();
    let kept = asked - plans.len();
    let from = match kept {
        0 => String::new(),
        _ => format!(
            "; {} from an earlier run (--fresh runs all)",
            counted(kept as u64, "claim", "claims")
        ),
    };
    if seconds > 0.0 {
        let claims = counted(plans.len() as u64, "claim", "claims");
        output::say(&format!(
            "locktoll: {claims}, about {}{from}",
            duration(seconds * 1e9)
        ));
    } else if kept > 0 {
        output::say(&format!("locktoll: all {from}").replace("all ;", "nothing to run;"));
    }
}

/// Runs the plans and keeps each result; returns how many were finished.
fn carry_out(plans: &[Plan<'_>], machine: &Machine, state: &mut State) -> Result<usize, Failure> {
    let interrupt = Interrupt::listen()?;
    let seconds = plans.iter().map(Plan::seconds).sum();
    let mut laboratory = Laboratory {
        machine,
        interrupt: interrupt.clone(),
        progress: Progress::new(seconds, interrupt),
        prices: Vec::new(),
    };
    let mut finished = 0;
    let mut complained = false;
    for plan in plans {
        if laboratory.progress.stop() {
            break;
        }
        let Ok(claim) = laboratory.claim(plan) else {
            break;
        };
        laboratory.progress.end(&line(&claim));
        finished += 1;
        if let Err(error) = state.keep(plan.described, claim)
            && !complained
        {
            complained = true;
            output::say(&format!(
                "locktoll: warning: results are not kept: {error:#}"
            ));
        }
    }
    laboratory.progress.clear();
    Ok(finished)
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
