//! Priorities of a probe's threads.

/// The rank of a thread among the threads of one probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::probe) enum Rank {
    /// A measured thread.
    Measured,
    /// A thread that runs only when no measured thread can, to keep a CPU from going idle.
    Below,
}
