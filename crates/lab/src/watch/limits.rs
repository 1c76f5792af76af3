//! The facts that the system does not report to a watch.

use serde::Serialize;

/// Which sources there are, and what is hidden from this user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// The scheduler's time slice in nanoseconds, if `/proc/self/sched` tells it (kernels from 6.6).
    pub slice_ns: Option<u64>,
    /// Whether threads' times on and off the CPU are told (`schedstat` of the thread).
    pub run_times: bool,
    /// Whether waiting for a CPU is accounted for (`/proc/pressure/cpu`).
    pub pressure: bool,
    /// Whether switches away from idle CPUs can be told from others (`/proc/schedstat`).
    pub idle_switches: bool,
    /// Whether the machine's switches are counted at all (`/proc/stat`).
    pub switches: bool,
    /// Threads of the machine that are not seen: other containers, other users where `/proc` hides them.
    pub threads_hidden: Option<u64>,
    /// Processes that are seen and not read.
    pub processes_unreadable: u64,
}
