//! One line of JSON per interval, for scripts.

use std::time::Duration;

use super::pace::Pace;
use super::run::refusal;
use crate::groups::Cgroup;
use crate::top::Gatherer;
use crate::top::flags::TopArgs;
use locktoll_results::top::Top;
use locktoll_shown::json_line_of;
use locktoll_terminal::failure::{Ending, Outcome};
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::output;

/// Prints lines until asked to stop or until the program has ended.
pub fn run(args: &TopArgs, group: Option<Cgroup>) -> Outcome {
    let interrupt = Interrupt::listen_to_end()?;
    let mut gatherer = Gatherer::start(args.pid, group).map_err(refusal)?;
    Gatherer::keep_what_is_needed(None);
    // One reading does not make an interval: lines begin with the first interval.
    gatherer.next_interval();
    let mut pace = Pace::new(Duration::from_nanos(args.interval), u32::MAX);
    for number in 1.. {
        if pace.wait(&interrupt, || gatherer.look()).is_none() {
            break;
        }
        let interval = gatherer.next_interval();
        output::print(&json_line_of(&Top::of(&interval))?)?;
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
