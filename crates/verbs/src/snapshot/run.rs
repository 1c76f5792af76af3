//! The verb, from flags to the snapshot's file.

use locktoll_recording::reader::{Interval, RawPart, since};

use super::run_in_progress::RunInProgress;
use super::state::{Moment, Reported, State};
use super::written::Place;
use crate::snapshot::flags::SnapshotArgs;
use locktoll_sources::clock::now_ns;
use locktoll_terminal::escape::word;
use locktoll_terminal::failure::{Ending, Failure, Outcome};
use locktoll_terminal::output::say;
use locktoll_terminal::quantity::duration;
use locktoll_terminal::system::files::why_no_process;

/// Runs the verb.
pub fn run(args: &SnapshotArgs) -> Outcome {
    if let Some(reason) = why_no_process() {
        return Err(Failure::Unsupported(reason.to_owned()));
    }
    let place = Place::of(args.output.as_deref(), args.pid)?;
    let recording = RunInProgress::of(args.pid)?;
    let state = match args.since_start {
        true => None,
        false => Some(State::of(&recording)?),
    };
    let earlier = match &state {
        Some(state) => state.read()?,
        None => None,
    };
    let at = now();
    let parts = recording.parts()?;
    let earlier = match earlier {
        Some(earlier) => Some(earlier.with_sums(&parts)?),
        None => None,
    };
    let looked = Look::at(&parts, earlier.as_ref(), at);
    let file = place.put(&looked.differences)?;
    // Only now: what could not be written is still to be reported.
    if let Some(state) = &state {
        state.put(&looked.reported, at).map_err(|error| {
            let file = word(file.as_os_str());
            error.context(format!(
                "{file} was written, but the next snapshot will repeat it, because the state cannot be written"
            ))
        })?;
    }
    let file = word(file.as_os_str());
    let ns = at.monotonic_ns.saturating_sub(looked.began_ns);
    let length = duration(ns as f64);
    let since = match &earlier {
        Some(_) => "since the last snapshot",
        None => "since the recording began",
    };
    say(&format!(
        "locktoll: wrote {file}: the {length} {since}; `locktoll report {file}` shows it"
    ));
    Ok(Ending::Done)
}

fn now() -> Moment {
    let realtime = rustix::time::clock_gettime(rustix::time::ClockId::Realtime);
    let seconds = u64::try_from(realtime.tv_sec).unwrap_or_default();
    Moment {
        monotonic_ns: now_ns(),
        realtime_ns: seconds * 1_000_000_000 + realtime.tv_nsec as u64,
    }
}

/// All parts at one moment.
struct Look {
    /// What happened since the last one.
    differences: Vec<RawPart>,
    /// What has been reported with it.
    reported: Vec<RawPart>,
    /// When the time of the differences began.
    began_ns: u64,
}

impl Look {
    fn at(parts: &[(RawPart, bool)], earlier: Option<&Reported>, at: Moment) -> Self {
        let mut look = Self {
            differences: Vec::new(),
            reported: Vec::new(),
            began_ns: at.monotonic_ns,
        };
        for (part, is_written) in parts {
            let then = earlier.and_then(|it| it.of(part));
            let process = part.process();
            let goes_on = process.end_monotonic_ns.is_none() && *is_written;
            let began = earlier.filter(|_| then.is_some()).map(|it| it.at);
            let found = since(
                part,
                then,
                Interval {
                    began_ns: began.map(|it| (it.monotonic_ns, it.realtime_ns)),
                    now_ns: goes_on.then_some(at.monotonic_ns),
                },
            );
            look.reported.push(found.reported);
            // A process that had ended before has nothing new.
            if goes_on || then.is_none() || found.difference.has_counts() {
                let began_ns = began.map_or(process.start_monotonic_ns, |it| it.monotonic_ns);
                look.began_ns = look.began_ns.min(began_ns);
                look.differences.push(found.difference);
            }
        }
        look
    }
}
