//! The events between two readings: the data of one block of the view, and the schema's fields.

use serde::{Serialize, Serializer};

use super::Wait;

/// One interval of the watch. Counts are those of the interval, not rates: divide by `interval_ns`. `None` marks a value that
/// could not be read here.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Length of the interval.
    pub interval_ns: u64,
    /// The whole machine.
    pub system: System,
    /// The sources of the machine's switches; `None` where only one process is watched.
    pub attribution: Option<Attribution>,
    /// Processes that switched or ran, those with the most switches first. If one process is watched, always that one.
    pub processes: Vec<Process>,
    /// Further figures of the watched process; `None` where the machine is watched.
    pub totals: Option<Totals>,
    /// Threads of the watched process that switched or ran, in the same order.
    pub threads: Vec<Thread>,
    /// The causes of the switches of all threads seen; scaled to the interval where the machine is watched.
    pub causes: Vec<Cause>,
    /// The cost of the watch itself.
    pub own: OwnCost,
}

/// The whole machine in one interval.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct System {
    /// Context switches of all CPUs, including those from and to idle (`/proc/stat`).
    pub switches: Option<u64>,
    /// Processes and threads started (`/proc/stat`).
    pub started: Option<u64>,
    /// Threads running or ready at the end of the interval (`/proc/stat`), including this one.
    pub runnable: Option<u64>,
    /// Threads blocked on input or output at the end of the interval (`/proc/stat`).
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
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CpuShares {
    /// Programs' own code, including code at lower priority.
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

/// The sources of the machine's switches. Switches of threads are scaled from their process's window to the interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Attribution {
    /// Switches of visible threads that had to wait.
    pub voluntary: u64,
    /// Switches of visible threads that could have continued.
    pub involuntary: u64,
    /// Switches away from idle CPUs, where the kernel reports them (`/proc/schedstat`).
    pub from_idle: Option<u64>,
    /// The rest of the machine's switches: those of threads that ended in the interval or are hidden, and those away from idle
    /// CPUs where the kernel does not report these.
    pub rest: Option<u64>,
    /// Threads seen.
    pub threads_seen: u64,
    /// Threads of the whole machine (`/proc/loadavg`).
    pub threads_of_machine: Option<u64>,
    /// Processes that exist but may not be read.
    pub processes_unreadable: u64,
}

/// A process in one interval: sums over the threads that existed at the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Process {
    /// Process id.
    pub pid: u32,
    /// Name of its first thread, as the thread chose it: any characters.
    pub name: String,
    /// Whether it is a kernel thread.
    pub kernel: bool,
    /// Number of its threads.
    pub threads: u64,
    /// Time between the two readings of its counters, to which the rates of the process and of its threads refer. It differs from
    /// `interval_ns` by the time that reading all other processes took.
    pub window_ns: u64,
    /// The sum of its threads' activity.
    #[serde(flatten)]
    pub activity: Activity,
}

/// Further figures of the watched process in one interval, including threads that ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Thread {
    /// Thread id.
    pub tid: u32,
    /// Its name, as it chose it: any characters.
    pub name: String,
    /// State at the end of the interval: `R`, `S`, `D` ...
    pub state: char,
    /// Its activity.
    #[serde(flatten)]
    pub activity: Activity,
}

/// Activity of one or several threads in one interval.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Activity {
    /// Switches because the thread had to wait (`status`: `voluntary_ctxt_switches`).
    pub voluntary: u64,
    /// Switches while the thread could have continued, including `sched_yield` (`status`: `nonvoluntary_ctxt_switches`).
    pub involuntary: u64,
    /// Time on a CPU (`schedstat`).
    pub run_ns: Option<u64>,
    /// Time ready to run without a CPU (`schedstat`).
    pub ready_ns: Option<u64>,
    /// How often it was put on a CPU (`schedstat`).
    pub stretches: Option<u64>,
    /// How often it was moved to another CPU (`sched`); read where one process is watched.
    pub migrations: Option<u64>,
    /// The results of the looks at it.
    pub found: Found,
}

impl Activity {
    /// Scales the counts to another length of time.
    pub(super) fn scaled(&self, factor: f64) -> Self {
        let scale = |count: u64| (count as f64 * factor).round() as u64;
        Self {
            voluntary: scale(self.voluntary),
            involuntary: scale(self.involuntary),
            run_ns: self.run_ns.map(scale),
            ..self.clone()
        }
    }

    /// Returns the sum of voluntary and involuntary switches.
    pub fn switches(&self) -> u64 {
        self.voluntary.saturating_add(self.involuntary)
    }
}

/// The looks at one or several threads within one interval. Each look counts the thread's state at that moment, so that long
/// waits are found more often than short ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Found {
    /// On a CPU or ready to run.
    pub running: u32,
    /// Not readable by this user, or gone.
    pub unreadable: u32,
    /// Waiting, by kind of wait, the most frequent first.
    #[serde(serialize_with = "as_map")]
    #[cfg_attr(
        feature = "schemas",
        schemars(with = "std::collections::BTreeMap<Wait, u32>")
    )]
    pub waiting: Vec<(Wait, u32)>,
}

fn as_map<S: Serializer>(waiting: &[(Wait, u32)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(waiting.iter().copied())
}

/// A cause of switches, and its count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Cause {
    /// The cause.
    pub cause: CauseKind,
    /// Number of switches in the interval.
    pub switches: u64,
    /// How the figure is known.
    pub known_by: KnownBy,
}

/// Why threads switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CauseKind {
    /// Had to wait, for any reason: the sum of the following ones.
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
    /// Kernel threads without work.
    KernelThread,
    /// Waits of threads that were found in several of these kinds of wait: looks do not show how often each occurred.
    Several,
    /// Waits of threads that no look found waiting, or that may not be looked at.
    Unknown,
    /// Was preempted or yielded: the sum of the following two.
    TakenOff,
    /// Its time slice was used up.
    SliceOver,
    /// It called `sched_yield`, or a thread woke up that was to run immediately.
    YieldedOrWokenOver,
}

/// How sure a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum KnownBy {
    /// The kernel counted it.
    Counted,
    /// Counted for threads that looks found only in this kind of wait. A look finds the wait in which the thread spends most
    /// time: short waits of another kind in between may stay unseen.
    Looks,
    /// The number of time slices in the threads' CPU time: the true figure is seldom higher.
    CpuTime,
    /// The remainder of a counted sum.
    Rest,
}

/// Resources that the watching process itself used in the interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct OwnCost {
    /// CPU time.
    pub cpu_ns: u64,
    /// The same as a share of one CPU, 0 to 1.
    pub cpu_share: f64,
    /// Context switches.
    pub switches: u64,
    /// Time that the reading at the end of the interval took.
    pub reading_ns: u64,
}
