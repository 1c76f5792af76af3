//! Watches running programs until asked to stop.

use std::time::{Duration, Instant};

use super::alerts::{Watchdog, keep};
use super::place::Place;
use super::spinning;
use super::subjects::Subjects;
use super::words;
use crate::alarm::Alarm;
use crate::attach::flags::AttachArgs;
use crate::diagnosis::explained;
use crate::present;
use crate::progress_bar::TimeLeft;
use locktoll_lab::machine::Machine;
use locktoll_results::Made;
use locktoll_results::doctor::Verb;
use locktoll_sources::ebpf::privileges::{Duty, keep_for};
use locktoll_sources::futexes::gathered::Lives;
use locktoll_sources::futexes::{Capacity, Processes, Seen, Watch, profile};
use locktoll_sources::spinning::AtWork;
use locktoll_sources::spun;
use locktoll_terminal::failure::Outcome;
use locktoll_terminal::interrupt::Interrupt;

/// How often to check whether the processes are still there and whether others have come.
const LOOK: Duration = Duration::from_millis(50);

/// The same, when started processes are watched too: the stacks of a new program end early until its code has been read.
const LOOK_FOR_NEW: Duration = Duration::from_millis(5);

/// How often to look for newly mapped code and for the processes' threads.
const REFRESH: Duration = Duration::from_secs(1);

/// Longest time spent on looking up names once watching has ended.
const NAMES: Duration = Duration::from_secs(3);

/// Runs the verb.
pub fn run(args: &AttachArgs) -> Outcome {
    let place = Place::of(args)?;
    let subjects = Subjects::of(args)?;
    let alarm = match args.alert[..] {
        [] => None,
        _ => Some(Alarm::prepare(&args.alert, args.alert_file.as_deref())?),
    };
    let writing = present::duty(args.output.as_deref());
    let interrupt = Interrupt::listen()?;
    let capacity = Capacity {
        entries: args.max_entries,
        rules: args.max_rules,
    };
    let watch = Watch::begin(subjects.whom(), capacity).map_err(explained(Verb::Attach))?;
    let spinning = spinning::begin(args, &subjects);
    let mut duties = vec![Duty::ReadOthers, Duty::OpenMapped];
    duties.extend(writing);
    keep_for(&duties);
    let spinning = spinning.and_then(|detector| detector.follow(None));
    let mut watched = Watched {
        processes: Processes::begin(subjects.numbered()),
        watch,
        subjects,
        lives: Lives::default(),
        refreshed: Instant::now(),
        watchdog: alarm.map(Watchdog::begin),
    };
    words::watching(&watched.subjects, &watched.processes, args.duration);
    words::holds(&args.alert);
    let is_replaced = watched.until(args.duration, &interrupt)?;
    let spun = spinning.and_then(AtWork::end);

    let Watched {
        mut processes,
        mut watch,
        watchdog,
        ..
    } = watched;
    let alerts = watchdog.map(Watchdog::end);
    let duration_ns = processes.watched_ns();
    processes.meet(&watch.images()?);
    // The kernel's own counts and ours are compared with each other, so they end at one time: it may take long until the programs are
    // removed, and on a busy machine until we run again.
    if !is_replaced {
        processes.end();
    }
    let gathered = watch.gathered()?;
    drop(watch);
    processes.take_ended(&gathered);
    let seen = Seen {
        processes: &processes,
        gathered: &gathered,
        duration_ns,
    };
    let mut profile = profile(&seen, Instant::now() + NAMES);
    if let Some(report) = spun {
        spun::add(&mut profile, report);
    }
    keep(&mut profile, alerts.unwrap_or_default());
    profile.made = Some(Made::now_on(&Machine::observe()));
    place.put(&profile)
}

/// The state of a watch in progress.
struct Watched {
    subjects: Subjects,
    watch: Watch,
    processes: Processes,
    /// The state of the processes at the last look.
    lives: Lives,
    refreshed: Instant,
    /// Raises alerts, if they are wanted.
    watchdog: Option<Watchdog>,
}

impl Watched {
    /// Watches to the end. Returns whether it ended because the program became another one.
    fn until(&mut self, duration_ns: Option<u64>, interrupt: &Interrupt) -> anyhow::Result<bool> {
        let end = duration_ns.map(|ns| Instant::now() + Duration::from_nanos(ns));
        if let Some(watchdog) = &self.watchdog {
            watchdog.prepare(&self.processes);
        }
        // Alerts are lines of their own on the same terminal.
        let shown = match self.watchdog {
            Some(_) => None,
            None => TimeLeft::until(end),
        };
        loop {
            if let Some(shown) = &shown {
                shown.show();
            }
            let now = Instant::now();
            if interrupt.requested() || end.is_some_and(|end| now >= end) {
                return Ok(false);
            }
            let lives = self.watch.lives()?;
            let have_changed = lives != self.lives;
            self.lives = lives;
            if self.subjects.is_one() && lives.programs_replaced > 0 {
                words::replaced(&self.subjects.now[0]);
                return Ok(true);
            }
            if self.refreshed.elapsed() >= REFRESH || have_changed && !self.subjects.is_one() {
                self.refresh()?;
            }
            if !self.processes.any_runs() {
                words::ended(&self.subjects);
                return Ok(false);
            }
            let left = end.map_or(LOOK, |end| end.saturating_duration_since(now));
            let mut pause = match self.subjects.is_one() {
                true => LOOK,
                false => LOOK_FOR_NEW,
            };
            if let Some(watchdog) = &mut self.watchdog {
                pause = pause.min(watchdog.look(&self.watch, &self.processes)?);
            }
            std::thread::sleep(pause.min(left));
        }
    }

    fn refresh(&mut self) -> anyhow::Result<()> {
        if let Some(cgroup) = &self.subjects.cgroup {
            for pid in cgroup.processes() {
                self.watch.take_in(pid)?;
            }
        }
        self.processes.meet(&self.watch.images()?);
        self.watch.refresh()?;
        self.processes.look();
        if let Some(watchdog) = &self.watchdog {
            watchdog.prepare(&self.processes);
        }
        self.refreshed = Instant::now();
        Ok(())
    }
}
