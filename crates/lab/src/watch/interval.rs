//! The events between two readings: the data of one block of the view, and the schema's fields.

use serde::{Serialize, Serializer};

use super::Wait;

/// One interval of the watch. Counts are those of the interval, not rates: divide by `interval_ns`. `None` is what could
/// not be read here.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// How long it was.
    pub interval_ns: u64,
    /// The whole machine.
    pub system: System,
    /// Where the machine's switches belong; `None` where only one process is watched.
    pub attribution: Option<Attribution>,
    /// Those that switched or ran, the busiest switchers first. With one watched process: that one, always.
    pub processes: Vec<Process>,
    /// More of the watched process; `None` where the machine is watched.
    pub totals: Option<Totals>,
    /// Threads of the watched process that switched or ran, likewise.
    pub threads: Vec<Thread>,
    /// Why threads switched, all that were seen; scaled to the interval where the machine is watched.
    pub causes: Vec<Cause>,
    /// What the watching itself cost.
    pub own: OwnCost,
}

/// The whole machine in one interval.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct System {
    /// Context switches of all CPUs, from and to idle included (`/proc/stat`).
    pub switches: Option<u64>,
    /// Processes and threads that were started (`/proc/stat`).
    pub started: Option<u64>,
    /// Threads running or ready at its end (`/proc/stat`), this one included.
    pub runnable: Option<u64>,
    /// Threads blocked on input or output at its end (`/proc/stat`).
    pub blocked: Option<u64>,
    /// Load averages over 1, 5 and 15 minutes (`/proc/loadavg`).
    pub load: Option<[f64; 3]>,
    /// Share of the interval (0 to 1) in which some thread was ready to run and had no CPU (`/proc/pressure/cpu`).
    pub cpu_pressure_share: Option<f64>,
    /// Shares of the CPUs' time (`/proc/stat`); `None` where the interval is too short for the kernel's 10 ms ticks.
    pub cpu: Option<CpuShares>,
}

/// Shares of the time of all CPUs, 0 to 1; they add up to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CpuShares {
    /// Programs' own code, at lowered priority too.
    pub user: f64,
    /// The kernel for programs.
    pub system: f64,
    /// Interrupts and their deferred work.
    pub interrupts: f64,
    /// Nothing to do.
    pub idle: f64,
    /// Nothing to do while a thread waited for a disk.
    pub iowait: f64,
    /// A hypervisor ran something else while there was work.
    pub steal: f64,
}

/// Where the machine's switches belong. Switches of threads are scaled from their process's window to the interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Attribution {
    /// Switches of visible threads that had to wait.
    pub voluntary: u64,
    /// Switches of visible threads that wanted to go on.
    pub involuntary: u64,
    /// Switches away from idle CPUs, where the kernel tells (`/proc/schedstat`).
    pub from_idle: Option<u64>,
    /// The rest of the machine's switches: threads that ended in the interval or cannot be seen, and those away from idle
    /// CPUs where these are not told.
    pub rest: Option<u64>,
    /// Threads that were seen.
    pub threads_seen: u64,
    /// Threads that the machine has (`/proc/loadavg`).
    pub threads_of_machine: Option<u64>,
    /// Processes that are there and may not be read.
    pub processes_unreadable: u64,
}

/// A process in one interval: sums over its threads that were there at the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Process {
    /// Process id.
    pub pid: u32,
    /// Name of its first thread, as that chose it: any characters.
    pub name: String,
    /// One of the kernel's own threads.
    pub kernel: bool,
    /// How many threads it has.
    pub threads: u64,
    /// Time between the two readings of its counters: rates of the process and of its threads refer to it. It differs
    /// from `interval_ns` as far as reading all the others took time.
    pub window_ns: u64,
    /// What its threads did, summed.
    #[serde(flatten)]
    pub activity: Activity,
}

/// What else the watched process did in one interval, threads that ended included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    /// CPU time in its own code as a share of one CPU (`/proc/PID/stat`, in ticks of 10 ms).
    pub user_share: f64,
    /// CPU time in the kernel, likewise.
    pub system_share: f64,
    /// Page faults that needed no disk (`/proc/PID/stat`).
    pub minor_faults: u64,
    /// Page faults that waited for a disk (`/proc/PID/stat`).
    pub major_faults: u64,
}

/// A thread in one interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thread {
    /// Thread id.
    pub tid: u32,
    /// Its name, as it chose it: any characters.
    pub name: String,
    /// State at the end of the interval: `R`, `S`, `D` ...
    pub state: char,
    /// What it did.
    #[serde(flatten)]
    pub activity: Activity,
}

/// What a thread or several did in one interval.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Activity {
    /// Switches because it had to wait (`status`: `voluntary_ctxt_switches`).
    pub voluntary: u64,
    /// Switches while it wanted to go on, `sched_yield` included (`status`: `nonvoluntary_ctxt_switches`).
    pub involuntary: u64,
    /// Time on a CPU (`schedstat`).
    pub run_ns: Option<u64>,
    /// Time ready to run without a CPU (`schedstat`).
    pub ready_ns: Option<u64>,
    /// How often it was put on a CPU (`schedstat`).
    pub stretches: Option<u64>,
    /// How often it was moved to another CPU (`sched`); read where one process is watched.
    pub migrations: Option<u64>,
    /// What it was found doing when looked at.
    pub found: Found,
}

impl Activity {
    /// The same over another length of time.
    pub(super) fn scaled(&self, factor: f64) -> Self {
        let scale = |count: u64| (count as f64 * factor).round() as u64;
        Self {
            voluntary: scale(self.voluntary),
            involuntary: scale(self.involuntary),
            run_ns: self.run_ns.map(scale),
            ..self.clone()
        }
    }

    /// Voluntary and involuntary.
    pub fn switches(&self) -> u64 {
        self.voluntary.saturating_add(self.involuntary)
    }
}

/// Looks at a thread or several within one interval: each counts what was found at that moment, so that long waits are
/// found more often than short ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Found {
    /// On a CPU or ready to run.
    pub running: u32,
    /// Not readable by this user, or gone.
    pub unreadable: u32,
    /// Waiting, by what for, the most frequent first.
    #[serde(serialize_with = "as_map")]
    pub waiting: Vec<(Wait, u32)>,
}

fn as_map<S: Serializer>(waiting: &[(Wait, u32)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(waiting.iter().copied())
}

/// A cause of switches with its share of them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Cause {
    /// What made threads switch.
    pub cause: CauseKind,
    /// How many switches of the interval.
    pub switches: u64,
    /// How that is known.
    pub known_by: KnownBy,
}

/// Why threads switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CauseKind {
    /// Had to wait for anything: the sum of the following ones.
    Waited,
    /// A lock, a condition or the end of a thread: a futex.
    Futex,
    /// A semaphore or queue of System V or POSIX.
    Ipc,
    /// Events of descriptors.
    Events,
    /// A pipe, a socket, a terminal.
    PipeOrSocket,
    /// A disk.
    Disk,
    /// Sleep.
    Sleep,
    /// A child, a signal, a debugger, or something else.
    Other,
    /// Threads of the kernel out of work.
    KernelThread,
    /// Waits of threads that were found waiting in several of these ways: how often each, looks cannot tell.
    Several,
    /// Waits of threads that were not found waiting by any look, or may not be looked at.
    Unknown,
    /// Was taken off the CPU or yielded: the sum of the following two.
    TakenOff,
    /// Its time slice was over.
    SliceOver,
    /// It called `sched_yield`, or a thread woke up that was to run at once.
    YieldedOrWokenOver,
}

/// How sure a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KnownBy {
    /// The kernel counted it.
    Counted,
    /// Counted of threads that looks found waiting in this way alone. A look finds what a thread waits in longest: short waits of
    /// another kind between may stay unseen.
    Looks,
    /// As many as the threads' CPU time has time slices: seldom more.
    CpuTime,
    /// What is left of a counted sum.
    Rest,
}

/// What the watching process itself used in the interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct OwnCost {
    /// CPU time.
    pub cpu_ns: u64,
    /// The same as a share of one CPU, 0 to 1.
    pub cpu_share: f64,
    /// Context switches.
    pub switches: u64,
    /// How long it took to read everything at the end of the interval.
    pub reading_ns: u64,
}
