//! Counters of the system that show the load of other programs.

use std::time::Duration;

/// Counters at one moment. `None`: the system does not report the value.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Reading {
    /// CPU time of the whole machine.
    pub(crate) cpus: Option<CpuTime>,
    /// CPU time of this process and its children.
    pub(crate) own_cpu: Duration,
    /// Other processes' threads that run or are ready to run.
    pub(crate) runnable_others: Option<u64>,
    /// Time for which a quota stopped this process, in nanoseconds.
    pub(crate) throttled_ns: Option<u64>,
}

/// CPU time of all CPUs since boot, in units of `unit_ns`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CpuTime {
    /// All time, including idle.
    pub(crate) total: u64,
    /// Time spent running anything, including interrupts.
    pub(crate) busy: u64,
    /// Time in which a hypervisor ran something else while a CPU here had work.
    pub(crate) steal: Option<u64>,
    /// Nanoseconds in a unit.
    pub(crate) unit_ns: f64,
    /// Units by which the counters of one CPU advance at a time.
    pub(crate) grain: u64,
}
