//! The verb, from flags to its output.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use locktoll_results::advice::{AdviceResult, Remedy, RemedyKind};
use locktoll_results::profile::Profile;
use locktoll_results::trial::Better;
use locktoll_shown::Selection;
use locktoll_terminal::escape::{quoted, shown};
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::output;
use locktoll_terminal::system::files::private_folder;

use super::advice::{advice, conclude};
use super::experiments::{quote, sweep, thread_runs, threads_flag::ThreadsFlag, verbs};
use super::flags::AdviseArgs;
use super::lock_use::Situation;
use super::recorded;
use super::request::{Request, Subject, request};
use crate::present;
use crate::run_program::launch::adopt_strays;
use crate::trial::flags::BetterArg;
use crate::trial::without_strays;

/// The time limit for all experiments together.
const TIME_LIMIT: Duration = Duration::from_secs(300);

/// Runs the verb.
pub fn run(args: &AdviseArgs) -> Outcome {
    let request = request(args)?;
    present::check(&args.output)?;
    match &request.subject {
        Subject::File(path) => {
            let profile = recorded::from_file(path, args.input)?;
            let mut result = begin(args, &request, &profile)?;
            result.recording = Some(shown(path.as_os_str()));
            present::put(&args.output, &result)
        }
        Subject::Command(command) => {
            let experiments = args.measure || request.threads.is_some();
            if !experiments && args.load.is_none() {
                let (code, profile) = recorded::from_command(command, args.exact)?;
                present::put(&args.output, &begin(args, &request, &profile)?)?;
                return Ok(Ending::ProgramStatus(code));
            }
            // This must come before any process is started that could be left behind.
            adopt_strays().map_err(without_strays)?;
            let interrupt = Interrupt::listen()?;
            let (code, profile) = match &args.load {
                None => recorded::before_experiments(args, &interrupt)?,
                Some(_) => recorded::from_server(args, interrupt.clone())?,
            };
            let mut result = begin(args, &request, &profile)?;
            if experiments {
                experiment(args, &request, &profile, &interrupt, &mut result)?;
            }
            present::put(&args.output, &result)?;
            Ok(Ending::ProgramStatus(code))
        }
    }
}

/// Makes the advice of a profile, with what is quoted.
fn begin(args: &AdviseArgs, request: &Request, profile: &Profile) -> Result<AdviceResult, Failure> {
    let only = lock(args, profile)?;
    let mut result = advice(profile, only.as_deref());
    for (name, saved) in &request.quoted {
        let added = quote::add(&mut result.remedies, saved, &result.command);
        result
            .remarks
            .extend(added.map_err(|why| Failure::Usage(format!("--quote {name} {why}")))?);
    }
    conclude(&mut result, profile);
    Ok(result)
}

/// Returns the id of the lock that `--lock` names.
fn lock(args: &AdviseArgs, profile: &Profile) -> Result<Option<String>, Failure> {
    let Some(asked) = &args.lock else {
        return Ok(None);
    };
    let selection = Selection::open(profile, asked);
    let selection = selection.map_err(|error| Failure::Usage(format!("--lock: {error}")))?;
    Ok(selection.locks.first().map(|it| it.id.clone()))
}

/// Runs the experiments that were asked for, as far as the time and the user permit, and adds what they show.
fn experiment(
    args: &AdviseArgs,
    request: &Request,
    profile: &Profile,
    interrupt: &Interrupt,
    result: &mut AdviceResult,
) -> Result<(), Failure> {
    let limit = args.time_limit.map_or(TIME_LIMIT, Duration::from_nanos);
    let deadline = Instant::now() + limit;
    // Each part gets what is left, divided by the parts that are left.
    let mut parts = u32::from(request.threads.is_some()) + 2 * u32::from(args.measure);
    let mut next = || {
        let left = deadline.saturating_duration_since(Instant::now()) / parts.max(1);
        parts = parts.saturating_sub(1);
        left
    };
    if let Some(flag) = &request.threads {
        let until = Instant::now() + next();
        let is_partial = swept(args, flag, profile, until, interrupt, result)?;
        result.partial |= is_partial;
    }
    if args.measure {
        for verb in ["whatif", "try"] {
            if interrupt.requested() {
                result.partial = true;
                break;
            }
            measure(verb, args, next(), result)?;
        }
        result.partial |= interrupt.requested();
    }
    conclude(result, profile);
    Ok(())
}

/// Runs the program with other numbers of threads. Returns whether it was cut short.
fn swept(
    args: &AdviseArgs,
    flag: &ThreadsFlag,
    profile: &Profile,
    until: Instant,
    interrupt: &Interrupt,
    result: &mut AdviceResult,
) -> Result<bool, Failure> {
    let cpus = Situation::of(profile).cpus.ceil() as u32;
    let numbers = flag.numbers(cpus);
    let all: Vec<String> = numbers.iter().map(u32::to_string).collect();
    output::say(&format!(
        "locktoll: running the program with {} threads",
        all.join(", ")
    ));
    let mut runs = thread_runs::Numbers::new(flag, &numbers, args, until, interrupt.clone())?;
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let seed = since.map_or(0, |since| since.as_nanos() as u64);
    let swept = sweep::play(&mut runs, numbers.len(), seed)?;
    let better = match args.better {
        Some(BetterArg::Higher) => Better::Higher,
        Some(BetterArg::Lower) | None => Better::Lower,
    };
    result.sweep = sweep::rows(&swept, &numbers, flag.current, better);
    let best = sweep::best(&result.sweep).map_or(flag.current, |(best, _)| best.threads);
    let command: Vec<String> = flag
        .command(best)
        .iter()
        .map(|it| quoted(&shown(it)))
        .collect();
    quote::add_sweep(
        &mut result.remedies,
        &result.sweep,
        flag.current,
        command.join(" "),
    );
    Ok(swept.is_partial)
}

/// Runs a verb on the lock of the first remedy that has one, and adds its result.
fn measure(
    verb: &str,
    args: &AdviseArgs,
    limit: Duration,
    result: &mut AdviceResult,
) -> Result<(), Failure> {
    let of_lock = |it: &&Remedy| {
        it.lock.is_some()
            && !matches!(
                it.kind,
                RemedyKind::LeaveAlone | RemedyKind::WakeFewer | RemedyKind::SpinLess
            )
    };
    let Some(lock) = result
        .remedies
        .iter()
        .find(of_lock)
        .and_then(|it| it.lock.clone())
    else {
        return Ok(());
    };
    let option = if verb == "whatif" { "--slow" } else { "--only" };
    let folder = private_folder(".locktoll-advise-").context("cannot make a folder for results")?;
    let saved = verbs::run(verb, &[option.to_owned(), lock], args, limit, folder.path())?;
    let added = match saved {
        Some(saved) => quote::add(&mut result.remedies, &saved, &result.command),
        None => Err("has no result; its reason is above".to_owned()),
    };
    match added {
        Ok(remarks) => result.remarks.extend(remarks),
        Err(why) => result.remarks.push(format!("`locktoll {verb}` {why}.")),
    }
    Ok(())
}
