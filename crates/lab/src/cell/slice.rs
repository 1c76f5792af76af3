//! The figures of one slice.

use serde::{Deserialize, Serialize};

use crate::platform::SwitchesAndCpu;
use crate::stats::Histogram;

/// The measurements of one slice of a cell.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Slice {
    /// The time in which the operations were done: between the two moments at which they were counted. If the slice had a number
    /// of rounds, or was cut off, from the first thread's start.
    pub wall_ns: u64,
    /// Operations that each thread completed in that time.
    pub operations: Vec<u64>,
    /// CPU time and switches of all threads until their end; `None` when some had to be cut off.
    pub resources: Option<SwitchesAndCpu>,
    /// Time from requesting the lock to acquiring it (waiting slices).
    pub acquire: Option<Histogram>,
    /// Most consecutive acquisitions by one thread while others competed (waiting slices).
    pub longest_run: Option<u64>,
    /// Progress of the bystanders, the busy threads without a lock, in rounds of their loop per second.
    pub bystander_per_second: Option<f64>,
    /// CPU time of the bystanders, from start to end; `None` if there were none, or when threads had to be cut off.
    pub bystander_cpu_ns: Option<u64>,
    /// Threads that did not stop in time, if any.
    pub cut_off: Option<CutOff>,
    /// The seed of its placement ([`Cell::placement`](super::Cell)); set by the runner.
    #[serde(default)]
    pub placement: u64,
    /// Set when the workload's own data shows that two threads were inside at once.
    pub exclusion_broken: Option<String>,
}

impl Slice {
    /// Returns the operations of all threads.
    pub fn total(&self) -> u64 {
        self.operations.iter().sum()
    }

    /// Returns the wall time per operation, or `None` if there were none.
    pub fn ns_per_op(&self) -> Option<f64> {
        let operations = self.total();
        (operations > 0).then(|| self.wall_ns as f64 / operations as f64)
    }
}

/// Threads of a slice that did not stop when asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CutOff {
    /// Threads still inside.
    pub threads: u32,
    /// How long the harness waited for them, in nanoseconds.
    pub waited_ns: u64,
}
