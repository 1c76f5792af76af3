//! Watches until asked to stop.

use std::time::Duration;

use locktoll_lab::watch::{Subject, Unwatchable, Watcher};

use super::flags::WatchArgs;
use super::standard_output::StandardOutput;
use crate::arguments::OutputArgs;
use crate::top::pace::Pace;
use locktoll_shown::{Block, JSON, TEXT};
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::interrupt::Interrupt;
use locktoll_terminal::output;
use locktoll_terminal::system::files::why_no_process;

/// Most looks at waiting threads in an interval.
const MOST_LOOKS: u32 = 10;

/// Runs the live view.
pub fn run(pid: Option<u32>, args: &WatchArgs, output: &OutputArgs) -> Outcome {
    let json = match output.format().name {
        JSON => true,
        TEXT => false,
        _ => {
            return Err(Failure::Usage(
                "--watch has the formats text and json".to_owned(),
            ));
        }
    };
    let subject = pid.map_or(Subject::Machine, Subject::Process);
    let interrupt = Interrupt::listen_to_end()?;
    let mut watcher = Watcher::start(subject).map_err(refusal)?;
    let mut place = StandardOutput::new(json);
    let mut pace = Pace::new(Duration::from_nanos(args.interval), MOST_LOOKS);
    for number in 1.. {
        let Some(looks) = pace.wait(&interrupt, || watcher.look()) else {
            break;
        };
        let interval = match watcher.next_interval() {
            Ok(interval) => interval,
            Err(_) => {
                let pid = pid.unwrap_or_default();
                output::say(&format!("locktoll: process {pid} has ended"));
                break;
            }
        };
        place.show(&Block {
            subject,
            interval: &interval,
            limits: &watcher.limits(),
            looks,
            with_notes: number == 1 || place.rewrites(),
        })?;
        if args.count == Some(number) {
            break;
        }
    }
    place.finish()?;
    Ok(Ending::Done)
}

fn refusal(why: Unwatchable) -> Failure {
    match why {
        Unwatchable::Closed(_) => Failure::Unsupported(format!(
            "{why}; watch it as its owner or as root, or the machine by --watch alone"
        )),
        _ => match why_no_process() {
            Some(reason) => Failure::Unsupported(reason.to_owned()),
            None => Failure::Usage(format!("{why}; accepted: the id of a running process")),
        },
    }
}
