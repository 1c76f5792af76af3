//! Watches a running program until told to stop.

use std::time::{Duration, Instant};

use super::place::Place;
use super::words;
use crate::attach::flags::AttachArgs;
use crate::diagnosis::explained;
use locktoll_results::doctor::Verb;
use locktoll_sources::ebpf::privileges;
use locktoll_sources::futexes::{Capacity, Lives, Memory, Seen, Subject, Watch, profile};
use locktoll_terminal::failure::Outcome;
use locktoll_terminal::interrupt::Interrupt;

/// How often the process is looked at, whether it is still there.
const LOOK: Duration = Duration::from_millis(50);

/// How often it is looked for code that it has mapped since, and for its threads.
const REFRESH: Duration = Duration::from_secs(1);

/// How long names are looked up at most, once watching has ended.
const NAMES: Duration = Duration::from_secs(3);

/// Runs the verb.
pub fn run(args: &AttachArgs) -> Outcome {
    let place = Place::of(args)?;
    let subject = Subject::of(args.pid)?;
    let interrupt = Interrupt::listen()?;
    let mut memory = Memory::default();
    memory.read(&subject);
    let mut watch = Watch::begin(
        args.pid,
        Capacity {
            entries: args.max_entries,
            rules: args.max_rules,
        },
    )
    .map_err(explained(Verb::Attach))?;
    privileges::drop_unneeded();
    let began = Instant::now();
    let mut lives = Lives::begin(&subject);
    words::watching(&subject, &lives, args.duration);

    let end = args.duration.map(|ns| began + Duration::from_nanos(ns));
    let mut refreshed = began;
    let is_replaced = loop {
        let now = Instant::now();
        if interrupt.requested() || end.is_some_and(|end| now >= end) {
            break false;
        }
        if watch.lives()?.programs_replaced > 0 {
            words::replaced(&subject);
            break true;
        }
        if !subject.runs() {
            words::ended(&subject);
            break false;
        }
        if refreshed.elapsed() >= REFRESH {
            watch.refresh()?;
            memory.read(&subject);
            lives.look(&subject);
            refreshed = Instant::now();
        }
        let left = end.map_or(LOOK, |end| end.saturating_duration_since(now));
        std::thread::sleep(LOOK.min(left));
    };
    let duration_ns = u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let gathered = watch.gathered()?;
    drop(watch);
    if !is_replaced {
        lives.end(&subject);
        memory.read(&subject);
    }
    lives.take_ended(&subject, &gathered);
    let seen = Seen {
        subject: &subject,
        memory: &memory,
        lives: &lives,
        gathered: &gathered,
        duration_ns,
    };
    place.put(&profile(&seen, Instant::now() + NAMES))
}
