//! The events between two moments.
//!
//! Counts cover the interval and are not rates: divide by `interval_ns`. `None` is a figure that cannot be known here.

use locktoll_lab::stats::Estimate;
use locktoll_lab::watch::{CpuShares, KnownBy};
use serde::Serialize;

use super::LockRow;
use crate::profile::Spinning;

/// One interval.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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

/// A cause of switches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Cause {
    /// The cause itself.
    pub cause: CauseKind,
    /// Number of switches in the interval.
    pub switches: u64,
    /// How this is known.
    pub known_by: KnownBy,
}

/// Why a thread left its CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CauseKind {
    /// Its time slice was over, or a thread that had been waiting for a CPU came first.
    SliceOver,
    /// It blocked in a futex call: for a lock, a condition, or the end of a thread.
    Lock,
    /// It blocked on input or output, a disk or the readiness of descriptors.
    InputOutput,
    /// It called sched_yield(2).
    Yielded,
    /// A thread that had just been woken took its place.
    WokenOver,
    /// One of the two above: `/proc` does not distinguish them.
    YieldedOrWokenOver,
    /// It slept for a given time.
    Sleep,
    /// Anything else: a child, a signal, a queue, work for a kernel thread, the thread's end.
    Other,
    /// It had to wait, but the reason is unknown.
    Unknown,
}

/// The source that sees the waits of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SeenBy {
    /// The recorder inside the program, put there by `locktoll record`.
    Recorder,
    /// The kernel, where the program's futex calls are watched.
    Kernel,
}

/// A lock for which threads wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Held {
    /// Its name.
    pub name: String,
    /// Its address.
    pub address: String,
    /// Threads that wait for it.
    pub waiting: u64,
    /// The thread that holds it, if that is known.
    pub holder_tid: Option<u32>,
    /// Who holds it, or why that is not known, in words.
    pub holder: String,
    /// For how long each look has found the same holder.
    pub same_holder_ns: Option<u64>,
}

/// CPU time in loops that wait.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Spun {
    /// The time to which the figures refer, nanoseconds.
    pub spin_window_ns: u64,
    /// The CPU time of all threads outside of locks that are known, nanoseconds; `None` if busy waiting is not seen.
    pub spin_cpu_ns: Option<Estimate>,
    /// By place and word, by CPU time. Rows without a sample are left out.
    pub spinning: Vec<Spinning>,
    /// The samples of the program in that time.
    #[serde(skip)]
    pub samples: u64,
}
