//! Priorities.

/// Where a thread stands among those of one probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::probe) enum Rank {
    /// What is measured.
    Measured,
    /// What only runs when nothing measured can: keeps a CPU from going idle.
    Below,
}
