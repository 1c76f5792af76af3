//! Sentences about intervals of a timeline.

use serde::{Deserialize, Serialize};

use super::index::Index;

/// A sentence about an interval of a timeline.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Finding {
    /// What was found.
    pub kind: FindingKind,
    /// It in words, with its figures.
    pub sentence: String,
    /// The time that threads waited in it, all of them together, nanoseconds.
    #[serde(default)]
    pub wait_ns: u64,
    /// When it began, nanoseconds.
    pub begin_ns: u64,
    /// When it ended, nanoseconds.
    pub end_ns: u64,
    /// The lock: an index of the timeline's `locks`; `null` if it is about several.
    pub lock: Index,
    /// The threads that took part, those that matter most first: indices of the timeline's `threads`.
    pub threads: Vec<u32>,
}

/// What was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// The same threads queue for a lock in the same order, hold after hold.
    Convoy,
    /// Waits for a lock that are much more frequent in one interval than in the rest of the time.
    Burst,
    /// The second in which threads waited longest for a lock.
    WorstSecond,
    /// A thread waited for a second one, which waited for a third.
    ChainOfWaits,
    /// A thread waited for a lock whose holder had no CPU, since other threads used it.
    PriorityInversion,
    /// A broadcast woke threads that then waited for one lock, one after the other.
    ThunderingHerd,
}

impl Finding {
    pub(super) fn is_sound(&self, threads: usize, locks: usize) -> bool {
        self.begin_ns <= self.end_ns
            && self.lock.get().is_none_or(|lock| lock < locks)
            && self.threads.iter().all(|&it| (it as usize) < threads)
    }
}
