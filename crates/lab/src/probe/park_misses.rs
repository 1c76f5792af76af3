//! Cache misses of threads that only park and unpark each other: part of the schema `locktoll.machine/1`.

use serde::{Deserialize, Serialize};

use crate::stats::Estimate;

/// Cache misses of two threads that do nothing but park and unpark each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ParkMisses {
    /// Misses in the last-level cache for each switch.
    pub per_switch: Option<Estimate>,
    /// How they were found; `None` if they were not.
    pub found_by: Option<MissesFoundBy>,
    /// Why the processor did not count them; `None` if it did.
    pub not_counted: Option<String>,
    /// Why there is no figure.
    pub refused: Option<String>,
    /// If they were found by time: the times that distinguish a miss from a hit.
    pub scale: Option<AccessScale>,
}

/// How cache misses were found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MissesFoundBy {
    /// The processor counted them, for both threads, in user mode and in the kernel.
    Counter,
    /// Accesses to a small working set were timed one by one after each switch, and without a switch.
    Time,
}

/// Times of one load, clock readings included, and the limits of what counts as a miss. Nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct AccessScale {
    /// A load of a line that was just used.
    pub cached_ns: f64,
    /// A load of a line that larger data have displaced from the first two caches; `None` if such lines had left the last cache,
    /// too.
    pub displaced_ns: Option<f64>,
    /// A load of a line that was flushed from all caches.
    pub missed_ns: f64,
    /// A load counts as a miss from this time on...
    pub from_ns: f64,
    /// ...up to this one: longer ones were interrupted.
    pub to_ns: f64,
    /// The share of flushed lines whose load counts as a miss, 0 to 1.
    pub recognised: f64,
    /// How many lines a switch uses, in the kernel and in the program: from the time of a switch after larger data have displaced
    /// them, over that of a load.
    pub lines_of_a_switch: f64,
}
