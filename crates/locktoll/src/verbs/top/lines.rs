//! A line of JSON an interval, for scripts.

use std::time::{Duration, Instant};

use super::run::refusal;
use crate::cli::TopArgs;
use crate::exit::{Ending, Outcome};
use crate::interrupt::Interrupt;
use crate::output;
use crate::top::{Gatherer, json_line};

/// So often what passes is looked at, and whether it is to end.
const LOOKS_APART: Duration = Duration::from_millis(100);

/// Prints lines until it is told to stop, or the program has ended.
pub fn run(args: &TopArgs) -> Outcome {
    let interrupt = Interrupt::listen()?;
    let mut gatherer = Gatherer::start(args.pid).map_err(refusal)?;
    let length = Duration::from_nanos(args.interval);
    // What is known at one moment is no interval: lines begin with the first.
    gatherer.next_interval();
    let mut end = Instant::now();
    for number in 1.. {
        end = (end + length).max(Instant::now());
        while Instant::now() < end && !interrupt.requested() {
            let left = end.saturating_duration_since(Instant::now());
            std::thread::sleep(left.min(LOOKS_APART));
            gatherer.look();
        }
        if interrupt.requested() {
            break;
        }
        let interval = gatherer.next_interval();
        output::print(&json_line(&interval)?)?;
        let ended = interval.chosen.as_ref().filter(|chosen| chosen.ended);
        if let Some(chosen) = ended {
            output::say(&format!("locktoll: process {} has ended", chosen.pid));
            break;
        }
        if args.count == Some(number) {
            break;
        }
    }
    Ok(Ending::Done)
}
