//! The locks of a program, and the waits for them.

use serde::Serialize;

use crate::profile::{LockKind, Use};

/// A lock, or all locks that came from one place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LockRow {
    /// The id: the same in every run of the program, and in its profile.
    pub id: String,
    /// The name for people: distinct from other locks of that name, and safe to show.
    pub name: String,
    /// The kind of lock.
    pub kind: LockKind,
    /// Whether threads use it to exclude each other or to signal each other: waiting for a signal is not contention.
    pub used_as: Use,
    /// How many locks this row covers.
    pub instances: u64,
    /// Threads that are waiting for it now.
    pub waiting_now: u64,
    /// The figures of this interval; `None` in the first, and if rows were regrouped in between.
    pub last: Option<Figures>,
    /// The figures since watching began.
    pub whole: Figures,
}

impl LockRow {
    /// Returns its figures, since the start or for the last interval.
    pub fn figures(&self, whole: bool) -> Option<&Figures> {
        if whole {
            Some(&self.whole)
        } else {
            self.last.as_ref()
        }
    }
}

/// Waits for one lock over some time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Figures {
    /// Waits that ended.
    pub waits: u64,
    /// Waiting time in nanoseconds, summed over the threads, including waits that have not ended.
    pub wait_ns: u64,
    /// Number of acquisitions; `None` if acquisitions without a wait are not seen.
    pub acquisitions: Option<u64>,
    /// Waits by their length: entry `i` counts those from 2^i up to 2^(i+1) ns. Trailing zeros are left out.
    pub log2: Vec<u64>,
    /// Places where threads waited, the longest wait first.
    pub waiters: Vec<Place>,
    /// Places where the holders that were waited for had acquired it, or the holding threads, the longest wait first; empty if
    /// unknown.
    pub holders: Vec<Place>,
    /// Places from which waits were ended by a wake-up, the longest wait first; empty if unknown.
    pub wakers: Vec<Place>,
}

/// A place in the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Place {
    /// Function and line, safe to show.
    pub place: String,
    /// Waits there, or caused by it.
    pub waits: u64,
    /// Their total length, in nanoseconds.
    pub wait_ns: u64,
}

impl Figures {
    /// Returns the mean length of a wait, in nanoseconds; `None` without waits.
    pub fn mean_ns(&self) -> Option<f64> {
        (self.waits > 0).then(|| self.wait_ns as f64 / self.waits as f64)
    }
}
