//! Parameters that are more than a number.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// A slice limited by rounds is ended after this time, finished or not.
pub const LONGEST_ROUNDS: Duration = Duration::from_secs(60);

/// Where a thread yields the processor with `sched_yield`, as in TimeMutex (Hart, 1998): 0 nowhere, 1 while holding, 2 after
/// releasing, 3 both.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SleepPoints {
    /// Nowhere.
    #[default]
    None,
    /// Between acquiring and releasing.
    Holding,
    /// After releasing.
    Released,
    /// At both places.
    Both,
}

impl SleepPoints {
    /// Returns true if the holder yields.
    pub fn while_holding(self) -> bool {
        matches!(self, Self::Holding | Self::Both)
    }

    /// Returns true if a thread yields after it has released.
    pub fn after_releasing(self) -> bool {
        matches!(self, Self::Released | Self::Both)
    }
}

/// When a thread begins its next operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Arrival {
    /// As soon as its previous one has ended (and its think time has passed).
    #[default]
    Closed,
    /// On a schedule that does not wait for the lock: exponential gaps, at this rate over all threads. Waiting counts from the
    /// scheduled moment.
    Open {
        /// Operations per second over all threads.
        per_second: f64,
    },
}

/// How long a slice lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Length {
    /// All threads run for this time; their operations are counted when it is over.
    Time {
        /// Nanoseconds.
        ns: u64,
    },
    /// Every thread does a fixed number of operations, as in TimeMutex.
    Rounds {
        /// Operations per thread.
        each: u64,
    },
}
