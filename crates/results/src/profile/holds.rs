//! Holds of a lock, and the holders that made threads wait.

use serde::{Deserialize, Serialize};

use super::frame::Frame;

/// Holding times, nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HoldTimes {
    /// All holds together, scaled up if sampled. Simultaneous holds of one lock (by readers) each count.
    pub total: u64,
    /// The longest hold timed.
    pub max: u64,
    /// Half of the timed holds were no longer.
    pub p50: f64,
    /// 99 in 100 of the timed holds were no longer.
    pub p99: f64,
    /// How many holds were timed.
    pub sampled: u64,
    /// Timed holds by their length: entry `i` counts those from 2^i up to 2^(i+1) ns. Trailing zeros are left out.
    pub log2: Vec<u64>,
}

/// Events while a lock was held.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WhileHeld {
    /// Holds that were examined for context switches.
    pub examined: u64,
    /// Those of them in which the holder blocked.
    pub blocked: u64,
    /// Voluntary context switches in the examined holds.
    pub voluntary_switches: u64,
    /// Involuntary context switches in the examined holds: the holder was preempted.
    pub involuntary_switches: u64,
    /// System calls that may block, entered through the C library while it was held, in all holds together.
    pub system_calls: u64,
    /// Those of them that took longest, by function, the longest first; left out if there was none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<HeldCall>,
}

/// Calls of one function of the C library that may block, made while a lock was held.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HeldCall {
    /// The function, such as `fdatasync`.
    pub call: String,
    /// The number of calls, in all holds together.
    pub count: u64,
    /// The time in them, nanoseconds.
    pub total_ns: u64,
}

/// Waiting at one place, charged to the place where the holder had acquired the lock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Blame {
    /// The place that waited, innermost frame first.
    pub waiter: Vec<Frame>,
    /// The place that held the lock in that time, innermost frame first; `null` if not measured.
    pub holder: Option<Vec<Frame>>,
    /// The thread that held it in that time; left out if it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub holder_thread: Option<HolderThread>,
    /// Waits in which this holder had the largest share; under `attach`, waits that began while it held the lock.
    pub count: u64,
    /// Time waited, nanoseconds.
    pub wait_ns: u64,
}

/// A thread that held a lock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HolderThread {
    /// Thread id.
    pub tid: u32,
    /// Its name; empty if not known.
    pub name: String,
}
