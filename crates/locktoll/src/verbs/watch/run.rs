//! Watches until it is told to stop.

use std::time::{Duration, Instant};

use locktoll_lab::watch::{Subject, Unwatchable, Watcher};
use rustix::event::{Timespec, poll};

use super::place::Place;
use crate::cli::{OutputArgs, ResultFormat, WatchArgs};
use crate::exit::{Ending, Failure, Outcome};
use crate::interrupt::Interrupt;
use crate::output;
use crate::report::Block;

/// At most as many looks at waiting threads in an interval, and never closer than this.
const MOST_LOOKS: u32 = 10;
const LOOKS_APART: Duration = Duration::from_millis(100);

/// Runs the live view, if it is asked for.
pub fn run(pid: Option<u32>, args: &WatchArgs, output: &OutputArgs) -> Outcome {
    let json = match output.format() {
        ResultFormat::Json => true,
        ResultFormat::Text => false,
        ResultFormat::Html => {
            return Err(Failure::Usage(
                "--watch is text or json, line by line; a page shows what is finished".to_owned(),
            ));
        }
    };
    let subject = pid.map_or(Subject::Machine, Subject::Process);
    let interrupt = Interrupt::listen()?;
    let mut watcher = Watcher::start(subject).map_err(refusal)?;
    let mut place = Place::new(json);
    let length = Duration::from_nanos(args.interval);
    let mut end = Instant::now();
    for number in 1.. {
        // Where reading took longer than an interval, intervals are longer, not packed.
        end = (end + length).max(Instant::now());
        let looks = wait_and_look(&mut watcher, end, length, &interrupt);
        if interrupt.requested() {
            break;
        }
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
        _ => Failure::Usage(format!("{why}; accepted: the id of a running process")),
    }
}

/// Waits until `end`, looking at threads at equal distances. Says how many looks there were.
fn wait_and_look(
    watcher: &mut Watcher,
    end: Instant,
    length: Duration,
    interrupt: &Interrupt,
) -> u32 {
    let fit = length.as_nanos() / LOOKS_APART.as_nanos();
    let planned = u32::try_from(fit)
        .unwrap_or(MOST_LOOKS)
        .clamp(1, MOST_LOOKS);
    let apart = length / planned;
    let mut done = 0;
    for left in (0..planned).rev() {
        // In the middle of each part.
        sleep_until(end.checked_sub(apart * left + apart / 2));
        if interrupt.requested() {
            return done;
        }
        watcher.look();
        done += 1;
    }
    sleep_until(Some(end));
    done
}

/// Sleeps, but not through a signal, as the standard library does.
fn sleep_until(moment: Option<Instant>) {
    let Some(left) = moment.map(|at| at.saturating_duration_since(Instant::now())) else {
        return;
    };
    let timeout = Timespec {
        tv_sec: left.as_secs() as i64,
        tv_nsec: i64::from(left.subsec_nanos()),
    };
    if left > Duration::ZERO {
        // The only error is that a signal came, which is as good as the end.
        let _ = poll(&mut [], Some(&timeout));
    }
}
