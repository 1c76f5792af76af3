//! The recorder's mode and cost, and the data that it lost.

use serde::{Deserialize, Serialize};

/// How the recorder worked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Recorder {
    /// The events that were timed; `null` if nothing was recorded in the program.
    pub mode: Option<RecorderMode>,
    /// The time that recording adds to one uncontended acquisition and release, nanoseconds.
    pub ns_per_pair: Option<f64>,
    /// The recorder's own share of the CPU time used.
    pub share_of_cpu: Option<f64>,
}

/// The events that were timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RecorderMode {
    /// Acquisitions counted, contended waits timed, a sample of the holds timed.
    Sampled,
    /// Acquisitions counted, contended waits and all holds timed.
    Exact,
}

/// The losses, by reason. All zero means that nothing is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Dropped {
    /// Acquisitions of locks at call sites that first appeared after recording had stopped.
    pub after_stop: u64,
    /// Acquisitions counted under their lock, but under no call site.
    pub sites: u64,
    /// Threads without a record of their life; their acquisitions are counted.
    pub threads: u64,
    /// Stacks that could not be kept; their waits are counted under the call site alone.
    pub stacks: u64,
    /// Address ranges of mapped files that could not be kept, so that addresses in them have no name.
    pub modules: u64,
    /// Parts and records of the recording that could not be read.
    pub damaged: u64,
    /// Waits for which there was no room in the kernel. No other figure includes them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub waits: u64,
    /// Waking calls for which there was no room in the kernel.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub wakes: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}
