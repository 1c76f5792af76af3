//! CPU time and context switches.

use serde::{Deserialize, Serialize};

/// The system's counts for the competing threads (getrusage(2), GetThreadTimes). `None` marks a value that it does not report:
/// Windows counts no switches for a thread, and its account of time is too coarse for a short slice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SwitchesAndCpu {
    /// Operations that these figures cover: up to the threads' end, so slightly more than the count at the end of the slice.
    pub operations: u64,
    /// User time in nanoseconds.
    pub user_ns: Option<u64>,
    /// Kernel time in nanoseconds.
    pub system_ns: Option<u64>,
    /// Times a thread went to sleep.
    pub voluntary_switches: Option<u64>,
    /// Times a thread was preempted.
    pub involuntary_switches: Option<u64>,
}

impl SwitchesAndCpu {
    /// Returns user and kernel time in nanoseconds.
    pub fn cpu_ns(&self) -> Option<u64> {
        Some(self.user_ns? + self.system_ns?)
    }

    /// Returns the switches of both kinds.
    pub fn switches(&self) -> Option<u64> {
        Some(self.voluntary_switches? + self.involuntary_switches?)
    }
}
