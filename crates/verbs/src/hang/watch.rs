//! Looks again and again.

use std::time::{Duration, Instant};

use super::flags::HangArgs;
use super::run::{ending, made};
use crate::present;
use locktoll_shown::{HangPage, JSON, TEXT};
use locktoll_sources::stuck::{Looker, NotLooked};
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::output;

/// How soon Ctrl-C is noticed.
const PAUSE: Duration = Duration::from_millis(50);

/// Refuses destinations that take one report only.
pub fn check(args: &HangArgs) -> Result<(), Failure> {
    let format = args.output.format();
    let is_shown = format.name == JSON || format.name == TEXT;
    if args.output.output.is_some() || !is_shown {
        return Err(Failure::Usage(
            "--watch prints one report after the other to standard output, as text or, with --json, as one line of JSON each; leave -o \
             and --format out"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Looks every `interval_ns`, and shows the threads that have not moved since the look before.
pub fn run(args: &HangArgs, mut looker: Looker, interval_ns: u64) -> Outcome {
    let is_lines = args.output.format().name == JSON;
    let interrupt = Interrupt::listen()?;
    let interval = Duration::from_nanos(interval_ns);
    let mut is_first = true;
    loop {
        let began = Instant::now();
        let result = match looker.look() {
            Ok(result) => made(result),
            // It has ended during the check.
            Err(NotLooked::Ended(_)) if !is_first => return Ok(ended()),
            Err(why) => return Err(why.into()),
        };
        let page = HangPage {
            result: &result,
            all: args.all,
            unmoved: !is_first,
        };
        let put = match is_lines {
            true => serde_json::to_string(&result)
                .map_err(|error| anyhow::Error::from(error).into())
                .and_then(|line| output::print(&format!("{line}\n"))),
            false => present::put(&args.output, &page),
        };
        if matches!(put, Err(Failure::OutputClosed)) {
            return Ok(ending(&result));
        }
        put?;
        if !result.deadlocks.is_empty() {
            return Ok(ending(&result));
        }
        is_first = false;
        while began.elapsed() < interval {
            if interrupt.requested() {
                return Ok(Ending::Done);
            }
            if !looker.runs() {
                return Ok(ended());
            }
            std::thread::sleep(PAUSE.min(interval.saturating_sub(began.elapsed())));
        }
    }
}

fn ended() -> Ending {
    output::say("locktoll: the process has ended");
    Ending::Done
}
