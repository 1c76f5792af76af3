//! The verb, from flags to its output.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use locktoll_lab::machine::Machine;
use locktoll_lab::noise::Watch;
use locktoll_lab::stats::Estimate;
use locktoll_results::Made;
use locktoll_results::profile::Profile;
use locktoll_results::trial::{Better, Metric, MetricSource};
use locktoll_results::whatif::{Experiment, WhatIfLock, WhatIfResult, WhatIfVerdict};
use locktoll_terminal::escape::{shown, shown_text};
use locktoll_terminal::failure::{Ending, Failure, Outcome as Ended};
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::output;

use super::chosen::{Chosen, chosen};
use super::conclusion::conclusion;
use super::flags::WhatifArgs;
use super::gains::gains;
use super::limit::Limit;
use super::play::{Played, play};
use super::request;
use super::response::response;
use super::rounds::Rounds;
use super::runner::Lengthened;
use crate::present;
use crate::run_program::embedded;
use crate::run_program::embedded::Library;
use crate::run_program::launch::adopt_strays;
use crate::trial::flags::BetterArg;
use crate::trial::{DEFAULT_TIME_LIMIT, Processes, Recorded, Wanted, subject, without_strays};

/// The fraction of the time limit that the recorded run may take: one in this many.
const SHARE: u32 = 8;

/// Runs the verb.
pub fn run(args: &WhatifArgs) -> Ended {
    let machine = Machine::observe();
    let asked = args.slow.iter().map(|text| request::slow(text));
    let asked = asked.collect::<Result<Vec<_>, _>>()?;
    let (subject, warnings) = subject(Wanted {
        command: &args.command,
        load: args.load.as_deref(),
        ready: args.ready.as_deref(),
        metric: args.metric.as_deref(),
        rounds: args.rounds,
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
    let time_limit = args.time_limit.map(Duration::from_nanos);
    let time_limit = time_limit.unwrap_or(DEFAULT_TIME_LIMIT);
    let load = subject.load.as_ref().map(|it| vec![it.command.clone()]);
    let timeout = args.timeout.map(Duration::from_nanos);
    let mut processes = Processes::new(subject, timeout, library, interrupt.clone())?;
    let profile = recorded(&processes, time_limit)?;
    let chosen = chosen(&profile, &asked)?;
    announce(&chosen);

    let deadline = began + time_limit;
    let mut runner = Lengthened::new(&mut processes, &chosen, deadline, interrupt);
    let played = play(&mut runner, &chosen, args.rounds, seed());
    runner.clear();
    let played = played.map_err(|why| Failure::Run(why.into()))?;
    let metric = metric(args);
    let cpus = machine.usable_cpus.len();
    let found = Found {
        profile: &profile,
        better: metric.better,
        cpus,
        is_server: load.is_some(),
    };
    let (locks, experiments) = found.all(&chosen, &played);
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
        remarks: Vec::new(),
    };
    present::put(&args.output, &result)?;
    match played.is_partial {
        true => Err(Failure::Run(anyhow::anyhow!(
            "interrupted, or out of time (--time-limit): the figures above are partial"
        ))),
        false => Ok(Ending::ProgramStatus(processes.exit_code())),
    }
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

/// The surroundings of the figures.
struct Found<'a> {
    profile: &'a Profile,
    better: Better,
    cpus: usize,
    /// Its load uses the processors too, and its CPU time is not counted.
    is_server: bool,
}

impl Found<'_> {
    fn all(&self, chosen: &[Chosen], played: &Played) -> (Vec<WhatIfLock>, Vec<Experiment>) {
        let mut experiments = Vec::new();
        let locks = chosen.iter().zip(&played.rounds);
        let locks = locks.map(|(chosen, rounds)| self.one(chosen, rounds, &mut experiments));
        (locks.collect(), experiments)
    }

    fn one(
        &self,
        chosen: &Chosen,
        rounds: &Rounds,
        experiments: &mut Vec<Experiment>,
    ) -> WhatIfLock {
        let lock = &chosen.lock;
        let mut row = WhatIfLock {
            lock: lock.id.clone(),
            name: lock.name.clone(),
            kind: lock.kind,
            wait_share: chosen.wait_share,
            is_longest_wait: chosen.is_longest_wait,
            gains: std::collections::BTreeMap::new(),
            slope: None,
            bend: None,
            is_bent: false,
            method: Vec::new(),
            verdict: WhatIfVerdict::CannotTell,
            detectable_percent: None,
            reason: rounds.dropped.clone(),
        };
        let Some(response) = response(rounds, self.better) else {
            row.reason
                .get_or_insert_with(|| "no round was complete".to_owned());
            return row;
        };
        let mut add = |percent: u32, time: Estimate| {
            experiments.push(Experiment {
                lock: lock.id.clone(),
                change: format!("+{percent}%"),
                ratio_to_bare: metric_ratio(time, self.better),
            });
        };
        add(0, response.noise);
        for (percent, ratio) in rounds.percents.iter().zip(&response.ratios) {
            add(*percent, *ratio);
        }
        let limit = match self.is_server {
            true => Limit::default(),
            false => Limit::of(lock, self.profile.duration_ns, rounds, self.cpus),
        };
        let gains = gains(&response, &limit);
        row.gains = gains.gains;
        row.method = gains.method;
        row.verdict = gains.verdict;
        row.detectable_percent = Some(gains.detectable_percent);
        row.slope = Some(response.slope);
        row.bend = response.bend;
        row.is_bent = response.is_bent;
        row
    }
}

/// Turns a ratio of times into one of the metric.
fn metric_ratio(time: Estimate, better: Better) -> Estimate {
    match better {
        Better::Lower => time,
        Better::Higher => Estimate {
            median: 1.0 / time.median,
            low: 1.0 / time.high,
            high: 1.0 / time.low,
            n: time.n,
        },
    }
}

fn metric(args: &WhatifArgs) -> Metric {
    Metric {
        source: match args.metric {
            Some(_) => MetricSource::Output,
            None => MetricSource::WallTime,
        },
        pattern: args.metric.clone(),
        better: match args.better {
            Some(BetterArg::Higher) => Better::Higher,
            Some(BetterArg::Lower) | None => Better::Lower,
        },
    }
}

/// Returns a seed that gives another order of the runs each time.
fn seed() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as u64)
}
