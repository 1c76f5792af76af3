//! The timeline: its flags, and the copies that are made of it while the program runs.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;
use std::time::{Duration, Instant};

use super::meanwhile::meanwhile;
use super::notices;
use crate::alarm::parse_rule;
use crate::arguments::parse_size;
use crate::run_program::launch::Timeline;
use locktoll_recording::layout::Keeps;
use locktoll_results::profile::AlertKind;
use locktoll_sources::flight_recorder::{Copies, FlightRecorder, Trigger};
use locktoll_sources::preemption::{TimesByPart, TimesOff, Watch};
use locktoll_sources::recording::{Choice, When};

/// The least and the most room for the events of a process.
const LEAST_BYTES: u64 = 1 << 20;
const MOST_BYTES: u64 = 16 << 30;

/// How much is kept before a long wait and after it, nanoseconds.
const AROUND_NS: u64 = 2_000_000_000;

/// The most bytes of all names of locks together: the recording keeps them.
const NAMES_BYTES: usize = 2_048;

/// How often events are copied while the program runs. If a thread overwrites all of its events in between, they are lost.
const INTERVAL: Duration = Duration::from_millis(10);

/// The events that are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Of {
    /// Waits, and the holds that caused them.
    Waits,
    /// All holds too.
    Everything,
    /// Waits and holds of the locks with these names or ids, or parts of them.
    Locks(Vec<String>),
}

/// A timeline that is asked for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What the library in the program keeps.
    pub kept: Timeline,
    /// Which of these events are wanted.
    pub choice: Choice,
}

impl Asked {
    /// Combines the flags.
    pub fn new(bytes: u64, of: &Of, when: Option<&When>) -> Self {
        let (keeps, only) = match of {
            Of::Waits => (Keeps::Waits, Vec::new()),
            Of::Everything => (Keeps::Everything, Vec::new()),
            Of::Locks(names) => (Keeps::Everything, names.clone()),
        };
        Self {
            kept: Timeline { keeps, bytes },
            choice: Choice {
                only,
                when: when.cloned(),
            },
        }
    }

    /// Returns the waits around which events are to be copied while the program runs.
    pub fn trigger(&self) -> Option<Trigger> {
        self.choice.when.as_ref().map(|when| Trigger {
            longer_than_ns: when.longer_than_ns,
            around_ns: when.around_ns,
            room_bytes: self.kept.bytes,
        })
    }
}

/// Reads the value of `--timeline`.
///
/// # Errors
/// What is accepted.
pub fn parse_room(text: &str) -> Result<u64, String> {
    parse_size(text, LEAST_BYTES, MOST_BYTES)
}

/// Reads the value of `--timeline-of`.
///
/// # Errors
/// What is accepted.
pub fn parse_of(text: &str) -> Result<Of, String> {
    let accepted = "waits, everything, or names of locks with commas between them";
    match text {
        "waits" => return Ok(Of::Waits),
        "everything" => return Ok(Of::Everything),
        _ => {}
    }
    let names: Vec<String> = text.split(',').map(|it| it.trim().to_owned()).collect();
    if names.iter().any(String::is_empty) {
        return Err(format!("'{text}' has an empty name; accepted: {accepted}"));
    }
    if text.len() > NAMES_BYTES {
        return Err(format!(
            "the names are longer than {NAMES_BYTES} bytes together; accepted: {accepted}"
        ));
    }
    Ok(Of::Locks(names))
}

/// Reads the value of `--timeline-when`.
///
/// # Errors
/// What is accepted.
pub fn parse_when(text: &str) -> Result<When, String> {
    const ACCEPTED: &str = "wait, > and a time with a unit, such as wait>50ms";
    let rule = parse_rule(text);
    let rule = rule.ok().filter(|rule| rule.kind == AlertKind::Wait);
    let rule = rule.ok_or_else(|| format!("'{text}' is not a condition; accepted: {ACCEPTED}"))?;
    Ok(When {
        text: text.trim().to_owned(),
        longer_than_ns: rule.longer_than_ns,
        around_ns: AROUND_NS,
        missed: 0,
        complete_ns: Vec::new(),
    })
}

/// What is kept of the timeline by locktoll itself, while the program runs.
pub struct Keeper {
    /// The events around long waits.
    pub flight: Option<FlightRecorder>,
    /// The times without a CPU, which the kernel sees.
    pub times: Option<TimesOff>,
}

impl Keeper {
    /// Combines what the flags ask for with what the kernel's programs can see. The processes write their parts into `parts`.
    pub fn new(asked: Option<&Asked>, parts: &Path, watch: Option<&mut Watch>) -> Self {
        let trigger = asked.and_then(Asked::trigger);
        Self {
            flight: trigger.map(|trigger| FlightRecorder::new(parts, trigger)),
            times: watch.and_then(Watch::take_times),
        }
    }
}

/// What locktoll has kept.
#[derive(Default)]
pub struct KeptOutside {
    /// Copies of the events around long waits.
    pub copies: Copies,
    /// Times without a CPU.
    pub times: TimesByPart,
}

/// Runs the program while the keeper works. Privileges belong to a thread, so the keeper's thread calls `first`, which gives up what is
/// not needed.
pub fn watched<T>(
    keeper: Keeper,
    first: &(dyn Fn() + Sync),
    run: impl FnOnce() -> T,
) -> (T, KeptOutside) {
    if keeper.flight.is_none() && keeper.times.is_none() {
        return (run(), KeptOutside::default());
    }
    let (ended, kept) = meanwhile(
        |has_ended| {
            first();
            keep_until(has_ended, keeper)
        },
        run,
    );
    let kept = kept.unwrap_or_else(|| {
        notices::timeline_is_lost();
        KeptOutside::default()
    });
    (ended, kept)
}

fn keep_until(has_ended: &AtomicBool, mut keeper: Keeper) -> KeptOutside {
    // Relaxed: nothing else is passed on with it.
    while !has_ended.load(Relaxed) {
        let begin = Instant::now();
        if let Some(flight) = &mut keeper.flight {
            flight.look();
        }
        if let Some(times) = &mut keeper.times {
            times.drain();
        }
        thread::sleep(INTERVAL.saturating_sub(begin.elapsed()));
    }
    KeptOutside {
        copies: keeper
            .flight
            .map(FlightRecorder::finish)
            .unwrap_or_default(),
        times: keeper.times.map(TimesOff::into_events).unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_those_of_a_kind_or_of_named_locks() {
        assert_eq!(parse_of("waits"), Ok(Of::Waits));
        assert_eq!(parse_of("everything"), Ok(Of::Everything));
        let locks = Of::Locks(vec!["journal".to_owned(), "mutex:app:a".to_owned()]);
        assert_eq!(parse_of("journal, mutex:app:a"), Ok(locks.clone()));
        let asked = Asked::new(1 << 20, &locks, None);
        // Holds of named locks are events of them.
        assert_eq!(asked.kept.keeps, Keeps::Everything);
        assert_eq!(asked.choice.only.len(), 2);
        for wrong in ["", "a,,b", " ", &"x".repeat(3_000)] {
            assert!(parse_of(wrong).unwrap_err().contains("everything"));
        }
    }

    #[test]
    fn a_trigger_is_a_wait_that_is_too_long() {
        let when = parse_when("wait > 50ms").unwrap();
        assert_eq!(
            (when.longer_than_ns, when.around_ns),
            (50_000_000, AROUND_NS)
        );
        let asked = Asked::new(4 << 20, &Of::Waits, Some(&when));
        assert_eq!(asked.trigger().unwrap().room_bytes, 4 << 20);
        assert_eq!(Asked::new(4 << 20, &Of::Waits, None).trigger(), None);
        for wrong in ["hold>50ms", "wait", "wait>50", "wait>0ms", "50ms", ""] {
            assert!(
                parse_when(wrong).unwrap_err().contains("wait>50ms"),
                "{wrong}"
            );
        }
    }
}
