//! Looks once, and shows the result.

use super::flags::HangArgs;
use super::watch;
use crate::present;
use locktoll_lab::machine::Machine;
use locktoll_results::Made;
use locktoll_results::hang::HangResult;
use locktoll_shown::HangPage;
use locktoll_sources::ebpf::privileges::{Duty, keep_for};
use locktoll_sources::stuck::{Looker, Whom, look_at_core};
use locktoll_terminal::failure::{Ending, Failure, Outcome};

/// Runs the verb. Exit code 1 means that there is a deadlock, so a failure of its own has another one.
pub fn run(args: &HangArgs) -> Outcome {
    look(args).map_err(Failure::apart_from_found)
}

fn look(args: &HangArgs) -> Outcome {
    present::check(&args.output)?;
    if args.watch.is_some() {
        watch::check(args)?;
    }
    // It reads processes and files of users who may mean harm.
    let mut duties = vec![Duty::ReadOthers, Duty::OpenMapped, Duty::ComeFirst];
    duties.extend(present::duty(args.output.output.as_deref()));
    keep_for(&duties);
    let result = match (&args.core, args.pid) {
        (Some(core), _) => look_at_core(core)?,
        (None, Some(pid)) => {
            let looker = Looker::new(Whom::of(pid)?);
            if let Some(interval) = args.watch {
                return watch::run(args, looker.comparing(), interval);
            }
            let mut looker = looker;
            looker.look()?
        }
        (None, None) => {
            return Err(Failure::Usage(
                "hang needs a process or a core file, as in `locktoll hang 1234` or `locktoll hang --core FILE`".to_owned(),
            ));
        }
    };
    let result = made(result);
    let page = HangPage {
        result: &result,
        all: args.all,
        unmoved: false,
    };
    delivered(present::put(&args.output, &page))?;
    Ok(ending(&result))
}

/// A reader who leaves early has read enough, and the exit code still says whether there is a deadlock.
fn delivered(put: Outcome) -> Result<(), Failure> {
    match put {
        Ok(_) | Err(Failure::OutputClosed) => Ok(()),
        Err(other) => Err(other),
    }
}

/// Notes when and where the result was made.
pub fn made(mut result: HangResult) -> HangResult {
    result.made = Some(Made::now_on(&Machine::observe()));
    result
}

/// Returns how the program ends after this result.
pub fn ending(result: &HangResult) -> Ending {
    match result.deadlocks.is_empty() {
        true => Ending::Done,
        false => Ending::Found,
    }
}
