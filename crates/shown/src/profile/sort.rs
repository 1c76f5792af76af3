//! The order of a profile's locks.

use clap::ValueEnum;

/// What locks are ordered by, largest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SortKey {
    /// Total time spent waiting for the lock.
    Wait,
    /// Acquisitions that had to wait.
    Contended,
    /// All acquisitions.
    Acquisitions,
    /// Total time it was held.
    Hold,
}
