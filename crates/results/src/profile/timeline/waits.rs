//! Waits.

use serde::{Deserialize, Serialize};

use super::columns::table;
use super::index::Index;

table! {
    /// Waits for locks and for events. Each field is a column.
    Waits of Wait:
    /// The thread that waited: an index of `threads`.
    thread: u32,
    /// What it waited for: an index of `locks`.
    lock: u32,
    /// When the wait began, nanoseconds.
    begin_ns: u64,
    /// When it ended, nanoseconds; of an unfinished one, the end of the recording.
    end_ns: u64,
    /// How it ended: see [`WaitEnd`].
    end: WaitEnd,
    /// The calls that led to it: an index of `stacks`.
    stack: Index,
    /// The thread that held the lock when the wait began.
    holder: Index,
    /// Where that thread had acquired it: an index of `stacks`.
    holder_place: Index,
    /// The thread whose release or signal ended the wait.
    released_by: Index,
    /// When it released the lock, nanoseconds; zero if `released_by` is `null`.
    released_ns: u64,
}

/// How a wait ended. A number in a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(into = "u8", try_from = "u8")]
#[repr(u8)]
pub enum WaitEnd {
    /// With the lock, or with the awaited event.
    Done = 0,
    /// At its deadline.
    TimedOut = 1,
    /// With an error.
    Failed = 2,
    /// It had not ended when the recording did.
    Unfinished = 3,
}

impl From<WaitEnd> for u8 {
    fn from(end: WaitEnd) -> Self {
        end as Self
    }
}

impl TryFrom<u8> for WaitEnd {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        let all = [Self::Done, Self::TimedOut, Self::Failed, Self::Unfinished];
        let found = all.into_iter().find(|&it| it as u8 == number);
        found.ok_or_else(|| format!("a wait cannot end in way {number}; accepted: 0 to 3"))
    }
}

impl Waits {
    pub(super) fn is_sound(&self, threads: usize, locks: usize, stacks: usize) -> bool {
        self.is_even(threads)
            && self.lock.iter().all(|&it| (it as usize) < locks)
            && [&self.stack, &self.holder_place]
                .into_iter()
                .all(|it| Index::all_below(it, stacks))
            && [&self.holder, &self.released_by]
                .into_iter()
                .all(|it| Index::all_below(it, threads))
            && self.begin_ns.iter().zip(&self.end_ns).all(|(a, b)| a <= b)
    }
}
