//! The description of a cell: what travels to the process that runs it.

use serde::{Deserialize, Serialize};

use super::{Arrival, Length, SleepPoints};
use crate::clock::Work;
use crate::platform::Raised;
use crate::workload::Kind;

/// One lock, one workload, one setting of every knob.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The lock's name in the registry; [`crate::contender::NONE`] for the empty loop.
    pub lock: String,
    /// What happens inside the critical section.
    pub workload: Kind,
    /// Competing threads.
    pub threads: u32,
    /// Acquisitions before the same number of releases; 0 runs without a lock.
    pub depth: u32,
    /// Two locks, the second taken inside the first.
    pub nested: bool,
    /// Calibrated arithmetic while holding, in nanoseconds.
    pub hold_ns: u64,
    /// A random 0..=delay pieces of [`DELAY_LOOP_NS`] of arithmetic while holding.
    pub delay: u32,
    /// Calibrated arithmetic between two operations, in nanoseconds.
    pub think_ns: u64,
    /// Where threads yield.
    pub sleep_points: SleepPoints,
    /// How many threads run their loop at a time; `None` lets all.
    pub active: Option<u32>,
    /// Threads that a gate lock lets at its inner lock; `None` is one for each usable processor.
    pub gate: Option<u32>,
    /// Spin count for locks that have one.
    pub spin: Option<u32>,
    /// Share of operations that only read, where the workload has readers.
    pub read_ratio: f64,
    /// Locks that share the hash table's buckets between them.
    pub stripes: u32,
    /// Bytes from the start of a cache line to the lock.
    pub align: u32,
    /// Processor of each thread in turn; empty lets the kernel choose.
    pub cpus: Vec<usize>,
    /// Nice value of the competing threads.
    pub nice: i32,
    /// The competing threads run as those of a background process do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub background: bool,
    /// A thread's priority is raised while it holds the lock.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub raise_while_holding: bool,
    /// Busy threads beside them that never touch the lock.
    pub hogs: u32,
    /// When operations begin.
    pub arrival: Arrival,
    /// How long a slice lasts.
    pub length: Length,
    /// Throughput or waiting: never both in one slice.
    pub part: Part,
    /// The round this slice belongs to: random schedules and delays differ from round to round.
    pub round: u32,
    /// What the parent measured once, so that its children need not.
    pub calibration: Calibration,
}

impl Cell {
    /// One thread on `lock` with nothing inside and every knob at rest.
    pub fn at_rest(lock: &str, length: Length, calibration: Calibration) -> Self {
        Self {
            lock: lock.to_owned(),
            workload: Kind::Pair,
            threads: 1,
            depth: 1,
            nested: false,
            hold_ns: 0,
            delay: 0,
            think_ns: 0,
            sleep_points: SleepPoints::None,
            active: None,
            gate: None,
            spin: None,
            read_ratio: 0.0,
            stripes: 1,
            align: 0,
            cpus: Vec::new(),
            nice: 0,
            background: false,
            raise_while_holding: false,
            hogs: 0,
            arrival: Arrival::Closed,
            length,
            part: Part::Throughput,
            round: 0,
            calibration,
        }
    }

    /// Why this machine does not let threads have the priorities that the cell asks for; `None` where it does. Tried in a thread
    /// that then ends.
    pub fn priorities_refused(&self) -> Option<String> {
        let raised = || Raised::over(self.nice, self.background);
        let reason = self.raise_while_holding.then(raised)?.refused()?;
        Some(format!("--raise-while-holding: {reason}"))
    }
}

/// One piece of the `delay` knob, in nanoseconds.
pub const DELAY_LOOP_NS: u64 = 100;

/// What a slice is for.
///
/// Reading the clock twice costs more than many of the locks, so the loop that counts operations
/// reads no clock, and waiting is timed in slices of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Counts operations; no clock in the loop.
    Throughput,
    /// Times every acquisition and follows the owner from one to the next.
    Waiting,
}

/// Figures of this machine that a slice needs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Iterations of the arithmetic a nanosecond ([`crate::clock::Work`]).
    pub loops_per_ns: f64,
}

impl Calibration {
    /// The calibration of this process.
    pub fn measure() -> Self {
        Self {
            loops_per_ns: 1.0 / Work::get().ns_per_loop(),
        }
    }

    /// Iterations of the arithmetic that take `ns` nanoseconds.
    pub fn loops(&self, ns: u64) -> u64 {
        // A cast from float to integer saturates.
        (self.loops_per_ns * ns as f64).round() as u64
    }
}
