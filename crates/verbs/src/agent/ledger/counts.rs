//! The figures of one lock.

use super::buckets::Buckets;

/// Figures that only grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Times that it was acquired.
    pub acquisitions: u64,
    /// Those that had to wait.
    pub contended: u64,
    /// The total length of waits, nanoseconds.
    pub wait_ns: u64,
    /// Waits by length.
    pub waits: Buckets,
    /// The total length of holds, nanoseconds.
    pub hold_ns: u64,
    /// Holds by length.
    pub holds: Buckets,
}

impl Counts {
    /// Applies `of` to each figure of both.
    pub fn with(&self, other: &Self, of: impl Fn(u64, u64) -> u64) -> Self {
        Self {
            acquisitions: of(self.acquisitions, other.acquisitions),
            contended: of(self.contended, other.contended),
            wait_ns: of(self.wait_ns, other.wait_ns),
            waits: self.waits.with(&other.waits, &of),
            hold_ns: of(self.hold_ns, other.hold_ns),
            holds: self.holds.with(&other.holds, &of),
        }
    }

    /// Adds `more`.
    pub fn add(&mut self, more: &Self) {
        *self = self.with(more, u64::saturating_add);
    }
}
