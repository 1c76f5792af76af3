//! The facts of all sources at one moment.

use locktoll_sources::clock::now_ns;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use locktoll_lab::watch;

use crate::running::{Stuck, SwitchCounts};
use locktoll_results::profile::Profile;
use locktoll_results::top::SeenBy;
use locktoll_sources::spun::Report;

/// One moment. Counts begin when their source began; only `system` already covers just the interval that this moment ends.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// When: `CLOCK_MONOTONIC`, nanoseconds.
    pub at_ns: u64,
    /// What `/proc` shows for the time since the previous reading; `None` in the first.
    pub system: Option<watch::Interval>,
    /// Context switches by process, as seen in the kernel's scheduler; `None` without the privileges to see them.
    pub switches: Option<SwitchCounts>,
    /// Waits for locks by process, for processes whose locks can be seen.
    pub waits: BTreeMap<u32, Waits>,
    /// When the waits of all processes were read from the kernel, as `at_ns`: a process that is not in `waits` had not waited
    /// between the beginning of watching and then. `None` if they are not seen.
    pub sees_all_ns: Option<u64>,
    /// The program that is looked into.
    pub chosen: Option<ChosenReading>,
    /// Notes for the reader of the figures, in plain sentences.
    pub notes: Vec<String>,
}

/// A program's waits for its locks, without waits for events (conditions, barriers).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waits {
    /// The program's name, as it chose it.
    pub name: String,
    /// Waits that ended.
    pub waits: u64,
    /// The total length of these waits and, so far, of those that have not ended, in nanoseconds.
    pub wait_ns: u64,
    /// Threads that are waiting now.
    pub waiting_now: u64,
    /// The source of these figures.
    pub seen_by: SeenBy,
    /// When this was read: `CLOCK_MONOTONIC`, nanoseconds. On a busy machine, sources are read at moments that are far apart.
    pub at_ns: u64,
    /// How long the program has been watched, in nanoseconds; `None` where all programs are watched together.
    pub watched_ns: Option<u64>,
}

/// The program that is looked into.
#[derive(Clone, Debug)]
pub struct ChosenReading {
    /// Its process id.
    pub pid: u32,
    /// Its name or command line, as the program chose it.
    pub name: String,
    /// Whether it has ended: then nothing below changes any more.
    pub ended: bool,
    /// Its locks since watching began, and the source that sees them; or why they cannot be seen.
    pub locks: Result<(Arc<Profile>, SeenBy), String>,
    /// Who holds its locks now, and deadlocks.
    pub stuck: Stuck,
    /// Its busy waiting since watching began; `None` if it is not seen.
    pub spun: Option<SpunReading>,
}

/// Busy waiting since watching began.
#[derive(Clone, Debug)]
pub struct SpunReading {
    /// When watching began, and when this was read: `CLOCK_MONOTONIC`, nanoseconds.
    pub began_ns: u64,
    pub at_ns: u64,
    /// What was seen.
    pub report: Arc<Report>,
}

impl Reading {
    /// Leaves out the figures of programs that are not among `pids`. The machine's own figures and the chosen program stay.
    pub fn keep(&mut self, pids: &BTreeSet<u32>) {
        self.waits.retain(|pid, _| pids.contains(pid));
        if let Some(system) = &mut self.system {
            system.processes.retain(|it| pids.contains(&it.pid));
        }
    }
}

impl Waits {
    /// Sums over the locks of a profile.
    pub fn of(name: String, profile: &Profile, seen_by: SeenBy) -> Self {
        let mut sum = Self {
            name,
            waits: 0,
            wait_ns: 0,
            waiting_now: 0,
            seen_by,
            at_ns: now_ns(),
            watched_ns: Some(profile.duration_ns),
        };
        for lock in &profile.locks {
            sum.wait_ns = sum.wait_ns.saturating_add(lock.waited_ns());
            if lock.signal.is_none() {
                sum.waits = sum.waits.saturating_add(lock.contended);
                sum.waiting_now = sum.waiting_now.saturating_add(lock.still_waiting);
            }
        }
        sum
    }
}
