//! The verb, from flags to its output.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Watch;
use locktoll_results::Made;
use locktoll_results::profile::Profile;
use locktoll_results::whatif::WhatIfResult;
use locktoll_terminal::escape::{shown, shown_text};
use locktoll_terminal::failure::{Ending, Failure, Outcome as Ended};
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::output;
use locktoll_terminal::quantity::duration;

use super::change::Direction;
use super::chosen::{Chosen, chosen};
use super::conclusion::conclusion;
use super::flags::WhatifArgs;
use super::play::{Played, play};
use super::request::asked;
use super::row::Surroundings;
use super::runner::Changed;
use crate::present;
use crate::run_program::embedded;
use crate::run_program::embedded::Library;
use crate::run_program::launch::adopt_strays;
use crate::trial::{Processes, Recorded, Wanted, subject, without_strays};

/// The fraction of the time limit that the recorded run may take: one in this many.
const SHARE: u32 = 8;

/// Runs the verb.
pub fn run(args: &WhatifArgs) -> Ended {
    let machine = Machine::observe();
    let fast = args.fast.iter().map(|text| asked(Direction::Fast, text));
    let slow = args.slow.iter().map(|text| asked(Direction::Slow, text));
    let asked = fast.chain(slow).collect::<Result<Vec<_>, _>>()?;
    let (subject, warnings) = subject(Wanted {
        command: &args.command,
        load: args.runs.load.as_deref(),
        ready: args.runs.ready.as_deref(),
        metric: args.runs.metric.as_deref(),
        rounds: args.runs.rounds,
    })?;
    present::check(&args.output)?;
    let library = embedded::extract(Library::Substitute)?;
    for warning in warnings {
        output::say(&format!("locktoll: {warning}"));
    }
    // This must come before any process is started that could be left behind.
    adopt_strays().map_err(without_strays)?;
    let interrupt = Interrupt::listen()?;
    let watch = Watch::start();
    let began = Instant::now();
    let time_limit = args.runs.limit();
    let load = subject.load.as_ref().map(|it| vec![it.command.clone()]);
    let timeout = args.runs.limit_of_run();
    let mut processes = Processes::new(subject, timeout, library, interrupt.clone())?;
    let profile = recorded(&processes, time_limit)?;
    let chosen = chosen(&profile, &asked)?;
    announce(&chosen);

    let deadline = began + time_limit;
    let is_wall_time = args.runs.metric.is_none();
    let mut runner = Changed::new(&mut processes, &chosen, deadline, interrupt, is_wall_time);
    let played = play(&mut runner, &chosen, args.runs.rounds, seed());
    runner.clear();
    let played = played.map_err(|why| Failure::Run(why.into()))?;
    let metric = args.runs.metric();
    let cpus = machine.usable_cpus.len();
    let surroundings = Surroundings {
        profile: &profile,
        better: metric.better,
        cpus,
        is_server: load.is_some(),
    };
    let (locks, experiments) = surroundings.all(&chosen, &played);
    let result = WhatIfResult {
        schema: WhatIfResult::SCHEMA.to_owned(),
        version: locktoll_terminal::version::version().to_owned(),
        command: args.command.iter().map(|word| shown(word)).collect(),
        load: load.map(|words| words.iter().map(|word| shown_text(word)).collect()),
        metric,
        made: Some(Made::now()),
        machine,
        noise: watch.finish(),
        partial: played.is_partial,
        rounds: played.planned,
        announced_ns: time_limit.as_nanos() as u64,
        taken_ns: began.elapsed().as_nanos() as u64,
        conclusion: conclusion(&locks),
        locks,
        experiments,
        remarks: remarks(&played),
    };
    present::put(&args.output, &result)?;
    match played.is_partial {
        true => Err(Failure::Run(anyhow::anyhow!(
            "interrupted, or out of time (--time-limit): the figures above are partial"
        ))),
        false => Ok(Ending::ProgramStatus(processes.exit_code())),
    }
}

/// Below this, starting the program is a large part of each run.
const SHORT_NS: u64 = 100_000_000;

/// Warns of runs that are too short.
fn remarks(played: &Played) -> Vec<String> {
    let runs = played.rounds.iter().flat_map(|it| &it.rounds);
    let mut walls: Vec<u64> = runs
        .flat_map(|round| round.base)
        .map(|run| run.wall_ns)
        .collect();
    walls.sort_unstable();
    let typical = walls.get(walls.len() / 2).copied();
    let short = typical.filter(|it| *it < SHORT_NS);
    let short = short.map(|ns| {
        format!(
            "each run takes only {}: starting the program is a large part of that, and hides the gains; give the program more work",
            duration(ns as f64)
        )
    });
    short.into_iter().collect()
}

/// Records one run.
fn recorded(processes: &Processes, time_limit: Duration) -> Result<Profile, Failure> {
    output::say("locktoll: recording one run first");
    match processes.record(time_limit / SHARE)? {
        Recorded::Profile(profile) => Ok(*profile),
        Recorded::Failed(reason) => Err(Failure::Run(anyhow::anyhow!(
            "the recorded run, which `whatif` needs first, failed: {reason}"
        ))),
        Recorded::Interrupted => Err(Failure::Run(anyhow::anyhow!(
            "interrupted before anything was measured"
        ))),
    }
}

/// Says which locks are examined.
fn announce(chosen: &[Chosen]) {
    for it in chosen {
        output::say(&format!(
            "locktoll: examining {} ({:.1} % of the threads' time is waiting for it)",
            shown_text(&it.lock.name),
            100.0 * it.wait_share
        ));
    }
}

/// Returns a seed that gives another order of the runs each time.
fn seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::super::rounds::{Measured, Round, Rounds};
    use super::*;

    #[test]
    fn runs_that_are_too_short_are_reported() {
        let played = |wall_ns| {
            let run = Measured {
                metric: 1.0,
                wall_ns,
                cpu_ns: 0,
                delays: 0.0,
            };
            let round = Round {
                base: [run, run],
                changed: vec![run],
            };
            Played {
                rounds: vec![Rounds {
                    rounds: vec![round; 3],
                    ..Rounds::new(0, Direction::Fast, vec![50])
                }],
                planned: 3,
                is_partial: false,
            }
        };
        assert!(remarks(&played(SHORT_NS)).is_empty());
        let said = remarks(&played(3_000_000));
        assert!(said[0].contains("takes only 3.00 ms"), "{said:?}");
        let mut none = played(1);
        none.rounds.clear();
        assert!(remarks(&none).is_empty());
    }
}
