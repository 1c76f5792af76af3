//! The events between two moments: the data of one screen, and the fields of the schema `locktoll.top/1`.
//!
//! Counts are those of the interval, not rates: divide by `interval_ns`. `None` is a figure that cannot be
//! known here.

use locktoll_lab::watch::CpuShares;
use serde::Serialize;

use super::{Cause, SeenBy};
use locktoll_results::profile::{LockKind, Use};

/// One interval.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Interval {
    /// How long it was.
    pub interval_ns: u64,
    /// The whole machine.
    pub machine: Machine,
    /// Programs that ran, switched or waited; of one that is looked into, that one alone.
    pub programs: Vec<Program>,
    /// The program that is looked into.
    pub chosen: Option<Chosen>,
    /// What the reader of the figures should know, in plain sentences.
    pub notes: Vec<String>,
}

/// The whole machine.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Machine {
    /// Shares of the CPUs' time; `None` where the interval is too short for the kernel's 10 ms ticks.
    pub cpu: Option<CpuShares>,
    /// Context switches of all CPUs, from and to idle included.
    pub switches: Option<u64>,
    /// Why threads switched.
    pub causes: Vec<Cause>,
    /// What watching cost, CPU time as a share of one CPU.
    pub own_cpu_share: f64,
}

/// A program: one process.
#[derive(Clone, Debug, Serialize)]
pub struct Program {
    /// Process id.
    pub pid: u32,
    /// Its name, as it chose it: any characters.
    pub name: String,
    /// One of the kernel's own threads.
    pub kernel: bool,
    /// How many threads it has.
    pub threads: u64,
    /// What the figures of switches and times refer to.
    pub window_ns: u64,
    /// Time between the two readings of its waits: what `waits` and `wait_ns` refer to. It differs from `interval_ns` as far as reading took
    /// time.
    pub waits_window_ns: Option<u64>,
    /// Waits for locks that ended.
    pub waits: Option<u64>,
    /// Time in which its threads waited for locks, added up over threads.
    pub wait_ns: Option<u64>,
    /// Threads waiting for locks at the interval's end.
    pub waiting_now: Option<u64>,
    /// Who sees its waits.
    pub seen_by: Option<SeenBy>,
    /// Switches because a thread had to wait for anything.
    pub voluntary: u64,
    /// Switches while a thread wanted to go on, `sched_yield` included.
    pub involuntary: u64,
    /// Time on CPUs.
    pub run_ns: Option<u64>,
    /// Time ready to run without a CPU.
    pub ready_ns: Option<u64>,
}

/// The program that is looked into.
#[derive(Clone, Debug, Serialize)]
pub struct Chosen {
    /// Process id.
    pub pid: u32,
    /// Its name or command line: any characters.
    pub name: String,
    /// Whether it has ended.
    pub ended: bool,
    /// Who sees its locks.
    pub seen_by: Option<SeenBy>,
    /// Why its locks cannot be seen, where they cannot.
    pub unseen: Option<String>,
    /// CPU time in its own code, as a share of one CPU.
    pub user_share: Option<f64>,
    /// CPU time in the kernel, likewise.
    pub system_share: Option<f64>,
    /// Why its threads switched.
    pub causes: Vec<Cause>,
    /// Time between the two readings of its locks: what `last` refers to. It differs from `interval_ns` as far as reading took time.
    pub window_ns: u64,
    /// For how long its locks have been watched, nanoseconds: what `whole` refers to.
    pub watched_ns: u64,
    /// Its locks, those waited for longest first; what is used as a signal behind them.
    pub locks: Vec<LockRow>,
}

/// A lock, or all locks that came from one place.
#[derive(Clone, Debug, Serialize)]
pub struct LockRow {
    /// The same in every run of the program, and in its profile.
    pub id: String,
    /// For people, told apart from others of that name, and safe to be shown.
    pub name: String,
    /// Its sort.
    pub kind: LockKind,
    /// To exclude each other, or to tell each other something: waiting for a signal is not contention.
    pub used_as: Use,
    /// How many locks it stands for.
    pub instances: u64,
    /// Threads that wait for it now.
    pub waiting_now: u64,
    /// In this interval; `None` in the first, and where rows were put together anew in between.
    pub last: Option<Figures>,
    /// Since it is watched.
    pub whole: Figures,
}

/// Waits for one lock over some time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Waits that ended.
    pub waits: u64,
    /// Time waited, added up over threads, waits that have not ended included, nanoseconds.
    pub wait_ns: u64,
    /// Times it was acquired; `None` where acquisitions without a wait pass unseen.
    pub acquisitions: Option<u64>,
    /// Waits by their length: entry `i` counts those from 2^i up to 2^(i+1) ns. Trailing zeros are left out.
    pub log2: Vec<u64>,
    /// Where threads waited, longest first.
    pub waiters: Vec<Place>,
    /// Where it had been acquired by those who were waited for, or which threads they were, longest first; empty if that is not known.
    pub holders: Vec<Place>,
    /// Where waits were ended by a wake-up, longest first; empty if that is not known.
    pub wakers: Vec<Place>,
}

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Function and line, safe to be shown.
    pub place: String,
    /// Waits there, or because of it.
    pub waits: u64,
    /// Their length, nanoseconds.
    pub wait_ns: u64,
}

impl Figures {
    /// The mean length of a wait, nanoseconds; `None` without waits.
    pub fn mean_ns(&self) -> Option<f64> {
        (self.waits > 0).then(|| self.wait_ns as f64 / self.waits as f64)
    }
}
