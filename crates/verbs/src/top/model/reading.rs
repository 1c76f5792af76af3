//! The facts of all sources at one moment.

use locktoll_sources::clock::now_ns;
use std::collections::BTreeMap;
use std::sync::Arc;

use locktoll_lab::watch;
use serde::Serialize;

use super::SwitchCounts;
use locktoll_results::profile::Profile;

/// One moment. Counts are since their source began; only `system` is already of the interval that this moment ends.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// When, `CLOCK_MONOTONIC`, nanoseconds.
    pub at_ns: u64,
    /// What `/proc` tells of the time since the reading before; `None` in the first.
    pub system: Option<watch::Interval>,
    /// Context switches by process, as the kernel's scheduler was seen to make them; `None` without the rights to see it.
    pub switches: Option<SwitchCounts>,
    /// Waits for locks by process, of those whose locks can be seen.
    pub waits: BTreeMap<u32, Waits>,
    /// When the waits of all processes were read from the kernel, as `at_ns`: one that is not in `waits` had not waited by then since
    /// watching began. `None` if they are not seen.
    pub sees_all_ns: Option<u64>,
    /// The program that is looked into.
    pub chosen: Option<ChosenReading>,
    /// What the reader of the figures should know, in plain sentences.
    pub notes: Vec<String>,
}

/// Who sees the waits of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SeenBy {
    /// The recorder inside of the program, which `locktoll record` put there.
    Recorder,
    /// The kernel, where its futex calls are watched.
    Kernel,
}

/// Waits of one program for its locks; waiting for events (conditions, barriers) is not in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waits {
    /// The program's name, as it chose it.
    pub name: String,
    /// Waits that ended.
    pub waits: u64,
    /// Their length, and so far that of those that have not ended, nanoseconds.
    pub wait_ns: u64,
    /// Threads that wait now.
    pub waiting_now: u64,
    /// Who says so.
    pub seen_by: SeenBy,
    /// When it was read, `CLOCK_MONOTONIC`, nanoseconds: on a busy machine sources are read at moments that are far apart.
    pub at_ns: u64,
    /// For how long the program has been watched, nanoseconds; `None` where all programs are watched together.
    pub watched_ns: Option<u64>,
}

/// The program that is looked into.
#[derive(Clone, Debug)]
pub struct ChosenReading {
    /// Its process id.
    pub pid: u32,
    /// Its name or command line, as the program chose it.
    pub name: String,
    /// Whether it has ended: nothing below changes any more.
    pub ended: bool,
    /// Its locks since they are watched, and who sees them; or why they cannot be seen.
    pub locks: Result<(Arc<Profile>, SeenBy), String>,
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
