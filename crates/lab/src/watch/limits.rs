//! The facts that the system does not report to a watch.

use serde::Serialize;

/// The available sources, and what is hidden from this user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Limits {
    /// The scheduler's time slice in nanoseconds, if `/proc/self/sched` reports it (kernels from 6.6).
    pub slice_ns: Option<u64>,
    /// Whether the threads' times on and off the CPU are reported (the thread's `schedstat`).
    pub run_times: bool,
    /// Whether waiting for a CPU is accounted for (`/proc/pressure/cpu`).
    pub pressure: bool,
    /// Whether switches away from idle CPUs can be distinguished from others (`/proc/schedstat`).
    pub idle_switches: bool,
    /// Whether the machine's switches are counted (`/proc/stat`).
    pub switches: bool,
    /// Hidden threads of the machine: other containers', or other users' where `/proc` hides them.
    pub threads_hidden: Option<u64>,
    /// Processes that are visible but could not be read.
    pub processes_unreadable: u64,
}
