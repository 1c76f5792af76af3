//! The events between two moments: the data of one screen, and the fields of the schema `locktoll.top/1`.
//!
//! Counts cover the interval and are not rates: divide by `interval_ns`. `None` is a figure that cannot be known here.

use locktoll_lab::watch::CpuShares;
use serde::Serialize;

use super::{Cause, Held, SeenBy, Spun};
use locktoll_results::profile::{LockKind, Use};

/// One interval.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Interval {
    /// Its length.
    pub interval_ns: u64,
    /// The whole machine.
    pub machine: Machine,
    /// Programs that ran, switched or waited; when one program is looked into, only that one.
    pub programs: Vec<Program>,
    /// The program that is looked into.
    pub chosen: Option<Chosen>,
    /// Notes for the reader of the figures, in plain sentences.
    pub notes: Vec<String>,
}

/// The whole machine.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Machine {
    /// Shares of the CPUs' time; `None` where the interval is too short for the kernel's 10 ms ticks.
    pub cpu: Option<CpuShares>,
    /// Context switches of all CPUs, including those to and from idle.
    pub switches: Option<u64>,
    /// Why threads switched.
    pub causes: Vec<Cause>,
    /// The CPU time that watching cost, as a share of one CPU.
    pub own_cpu_share: f64,
}

/// A program: one process.
#[derive(Clone, Debug, Serialize)]
pub struct Program {
    /// Process id.
    pub pid: u32,
    /// Its name as the program chose it: any characters.
    pub name: String,
    /// Whether it is one of the kernel's own threads.
    pub kernel: bool,
    /// Number of threads.
    pub threads: u64,
    /// The period to which the figures of switches and times refer.
    pub window_ns: u64,
    /// Time between the two readings of its waits, to which `waits` and `wait_ns` refer. It differs from `interval_ns` because
    /// reading takes time.
    pub waits_window_ns: Option<u64>,
    /// Waits for locks that ended.
    pub waits: Option<u64>,
    /// Time that its threads waited for locks, summed over the threads.
    pub wait_ns: Option<u64>,
    /// Threads waiting for locks at the interval's end.
    pub waiting_now: Option<u64>,
    /// The source that sees its waits.
    pub seen_by: Option<SeenBy>,
    /// Switches because a thread had to wait for something.
    pub voluntary: u64,
    /// Switches while a thread could have gone on, including `sched_yield`.
    pub involuntary: u64,
    /// Time on CPUs.
    pub run_ns: Option<u64>,
    /// Time during which threads were ready to run but had no CPU.
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
    /// The source that sees its locks.
    pub seen_by: Option<SeenBy>,
    /// Why its locks cannot be seen, if so.
    pub unseen: Option<String>,
    /// CPU time in its own code, as a share of one CPU.
    pub user_share: Option<f64>,
    /// CPU time in the kernel, likewise.
    pub system_share: Option<f64>,
    /// Why its threads switched.
    pub causes: Vec<Cause>,
    /// Time between the two readings of its locks, to which `last` refers. It differs from `interval_ns` because reading takes
    /// time.
    pub window_ns: u64,
    /// How long its locks have been watched, in nanoseconds; `whole` refers to this period.
    pub watched_ns: u64,
    /// Its locks, those with the longest waiting time first; locks used as signals come last.
    pub locks: Vec<LockRow>,
    /// The locks for which threads wait at the interval's end, and their holders.
    pub held: Vec<Held>,
    /// A deadlock, in a sentence; `None` if there is none.
    pub deadlock: Option<String>,
    /// Its busy waiting in the interval.
    #[serde(flatten)]
    pub spun: Spun,
    /// Its busy waiting since watching began.
    pub spin_whole: Spun,
}

impl Chosen {
    /// Returns its busy waiting, since the start or in the last interval.
    pub fn spun(&self, whole: bool) -> &Spun {
        match whole {
            true => &self.spin_whole,
            false => &self.spun,
        }
    }
}

/// A lock, or all locks that came from one place.
#[derive(Clone, Debug, Serialize)]
pub struct LockRow {
    /// The id: the same in every run of the program, and in its profile.
    pub id: String,
    /// The name for people: distinct from other locks of that name, and safe to show.
    pub name: String,
    /// The kind of lock.
    pub kind: LockKind,
    /// Whether threads use it to exclude each other or to signal each other: waiting for a signal is not contention.
    pub used_as: Use,
    /// How many locks this row covers.
    pub instances: u64,
    /// Threads that are waiting for it now.
    pub waiting_now: u64,
    /// The figures of this interval; `None` in the first, and if rows were regrouped in between.
    pub last: Option<Figures>,
    /// The figures since watching began.
    pub whole: Figures,
}

/// Waits for one lock over some time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Waits that ended.
    pub waits: u64,
    /// Waiting time in nanoseconds, summed over the threads, including waits that have not ended.
    pub wait_ns: u64,
    /// Number of acquisitions; `None` if acquisitions without a wait are not seen.
    pub acquisitions: Option<u64>,
    /// Waits by their length: entry `i` counts those from 2^i up to 2^(i+1) ns. Trailing zeros are left out.
    pub log2: Vec<u64>,
    /// Places where threads waited, the longest wait first.
    pub waiters: Vec<Place>,
    /// Places where the holders that were waited for had acquired it, or the holding threads, the longest wait first; empty if
    /// unknown.
    pub holders: Vec<Place>,
    /// Places from which waits were ended by a wake-up, the longest wait first; empty if unknown.
    pub wakers: Vec<Place>,
}

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Place {
    /// Function and line, safe to show.
    pub place: String,
    /// Waits there, or caused by it.
    pub waits: u64,
    /// Their total length, in nanoseconds.
    pub wait_ns: u64,
}

impl Figures {
    /// Returns the mean length of a wait, in nanoseconds; `None` without waits.
    pub fn mean_ns(&self) -> Option<f64> {
        (self.waits > 0).then(|| self.wait_ns as f64 / self.waits as f64)
    }
}
