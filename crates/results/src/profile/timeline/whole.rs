//! The timeline itself.

use serde::{Deserialize, Serialize};

use super::finding::Finding;
use super::holds::Holds;
use super::kept::Kept;
use super::moments::{Blocks, Signals, Switches};
use super::waits::Waits;
use crate::profile::{Frame, LockKind, Use};

/// The events of a program's locks, by time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Timeline {
    /// Which events were recorded, and which were lost.
    pub kept: Kept,
    /// The time of the first event that is known, nanoseconds.
    pub begin_ns: u64,
    /// The time of the last one, nanoseconds.
    pub end_ns: u64,
    /// The threads with events, in the order of their first appearance. Columns refer to them by index.
    pub threads: Vec<TimelineThread>,
    /// The locks with events, those that threads waited for longest first. Columns refer to them by index.
    pub locks: Vec<TimelineLock>,
    /// The functions of `stacks`.
    pub frames: Vec<Frame>,
    /// Stacks of calls: indices of `frames`, innermost first. The place of a call is a stack that has only its innermost frames.
    pub stacks: Vec<Vec<u32>>,
    /// Waits for locks and for events, in the order of their beginnings.
    pub waits: Waits,
    /// Holds, in the order of their beginnings.
    pub holds: Holds,
    /// Signals to other threads, in their order.
    pub signals: Signals,
    /// Calls that may block, made while a lock was held, in the order of their beginnings.
    pub blocks: Blocks,
    /// Times in which a thread had no CPU, in the order of their beginnings; empty if the kernel was not asked.
    #[serde(default, skip_serializing_if = "Switches::is_empty")]
    pub switches: Switches,
    /// Sentences about intervals, the most important first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<Finding>,
}

/// A thread of a timeline.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TimelineThread {
    /// Process id.
    pub pid: u32,
    /// Thread id.
    pub tid: u32,
    /// Its name, the last one seen.
    pub name: String,
    /// When it was first seen, nanoseconds.
    pub begin_ns: u64,
    /// When it ended, nanoseconds; `null` if its end was not seen.
    pub end_ns: Option<u64>,
    /// Events that were overwritten by later ones.
    pub overwritten: u64,
    /// All of its events that were recorded after this time are there, nanoseconds.
    pub complete_from_ns: u64,
}

/// A lock of a timeline, or all locks of one row of the profile.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TimelineLock {
    /// The id of its row in the profile's `locks`.
    pub id: String,
    /// Its name, as there; followed by its address if the row has several locks.
    pub name: String,
    /// Its kind.
    pub kind: LockKind,
    /// Its use: waits for a `signal` are not contention.
    pub used_as: Use,
    /// The process that it is in.
    pub pid: u32,
    /// Its address there.
    pub address: u64,
}

impl Timeline {
    /// Returns the number of events.
    #[must_use]
    pub fn events(&self) -> usize {
        self.waits.len()
            + self.holds.len()
            + self.signals.len()
            + self.blocks.len()
            + self.switches.len()
    }

    /// Returns the frames of stack `stack`, innermost first. Unknown indices are left out.
    pub fn frames_of(&self, stack: super::Index) -> impl Iterator<Item = &Frame> {
        let frames = stack.get().and_then(|stack| self.stacks.get(stack));
        let frames = frames.map(Vec::as_slice).unwrap_or_default();
        frames
            .iter()
            .filter_map(|&frame| self.frames.get(frame as usize))
    }

    /// Whether every column has the length of its table, and every index is in its table. A document from elsewhere may be
    /// anything.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.unsound().is_none()
    }

    /// Returns the first table that has columns of different lengths, refers to rows that do not exist, or has an end before its
    /// beginning.
    #[must_use]
    pub fn unsound(&self) -> Option<&'static str> {
        let (threads, locks, stacks) = (self.threads.len(), self.locks.len(), self.stacks.len());
        let frames = self.frames.len();
        let numbers = || self.stacks.iter().flatten();
        let checks = [
            ("stacks", numbers().all(|&it| (it as usize) < frames)),
            ("waits", self.waits.is_sound(threads, locks, stacks)),
            ("holds", self.holds.is_sound(threads, locks, stacks)),
            ("signals", self.signals.is_sound(threads, locks, stacks)),
            ("blocks", self.blocks.is_sound(threads, locks)),
            ("switches", self.switches.is_sound(threads)),
            (
                "findings",
                self.findings.iter().all(|it| it.is_sound(threads, locks)),
            ),
        ];
        let unsound = checks.into_iter().find(|(_, is_sound)| !is_sound);
        unsound.map(|(table, _)| table)
    }
}
