//! Which events were recorded, and which were lost.

use serde::{Deserialize, Serialize};

/// Which events were recorded, and which were lost.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Kept {
    /// The kinds of events that were recorded.
    pub events: Keeps,
    /// The names of the only locks that were recorded; empty if all were.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// The condition that made the recorder keep the events around it, as on the command line; `null` if it kept the last ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    /// How much was kept before the beginning and after the end of each such wait, nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around_ns: Option<u64>,
    /// Such waits for which some surrounding events did not fit.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub missed: u64,
    /// The room for events of all threads of a process together, bytes.
    pub room_bytes: u64,
    /// The events that are missing.
    pub lost: EventLosses,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The kinds of events that were recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Keeps {
    /// Waits, and the holds whose release admitted a waiting thread.
    #[default]
    Waits,
    /// All holds too.
    Everything,
}

/// The events that are missing, or whose times are doubtful.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct EventLosses {
    /// Overwritten by later events of the same thread.
    pub overwritten: u64,
    /// Of threads for which there was no room.
    pub without_room: u64,
    /// Half overwritten, or not plausible.
    pub damaged: u64,
    /// Left out of this document to bound its size; the recording has them.
    pub left_out: u64,
    /// Acquisitions that seemed to happen before the release that made them possible, since the clocks of two CPUs differ. They
    /// were moved to the time of the release.
    pub moved: u64,
    /// The largest such distance, nanoseconds.
    pub moved_ns: u64,
}
