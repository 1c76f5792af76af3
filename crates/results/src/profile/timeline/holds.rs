//! Holds.

use serde::{Deserialize, Serialize};

use super::columns::table;
use super::index::Index;

table! {
    /// Holds. Each field is a column.
    Holds of Hold:
    /// The thread that held the lock: an index of `threads`.
    thread: u32,
    /// The lock: an index of `locks`.
    lock: u32,
    /// When it was acquired, nanoseconds.
    begin_ns: u64,
    /// When it was released, nanoseconds; of an unfinished hold, the end of the recording.
    end_ns: u64,
    /// Where it was acquired: an index of `stacks`.
    place: Index,
    /// See [`HoldFlags`].
    flags: HoldFlags,
}

/// What is known of a hold, as bits of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct HoldFlags(pub u8);

impl HoldFlags {
    /// The lock had not been released when the recording ended.
    pub const UNFINISHED: Self = Self(1);
    /// The time of the acquisition is not known. `begin_ns` is the first time at which the thread certainly held the lock.
    pub const BEGAN_EARLIER: Self = Self(2);
    /// Shared with other readers.
    pub const SHARED: Self = Self(4);
    /// A thread was waiting for the lock when it was released.
    pub const AWAITED: Self = Self(8);

    /// Whether all bits of `other` are set.
    #[must_use]
    pub fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns both together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Holds {
    pub(super) fn is_sound(&self, threads: usize, locks: usize, stacks: usize) -> bool {
        self.is_even(threads)
            && self.lock.iter().all(|&it| (it as usize) < locks)
            && Index::all_below(&self.place, stacks)
            && self.begin_ns.iter().zip(&self.end_ns).all(|(a, b)| a <= b)
    }
}
