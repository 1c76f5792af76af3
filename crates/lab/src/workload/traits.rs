//! The interface of a workload that the measured loop needs.

use crate::cell::Cell;

/// Which lock an operation takes, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// Index of the lock.
    pub stripe: usize,
    /// Only reads, so that a shared acquisition is enough.
    pub read_only: bool,
}

/// One kind of critical section with its shared data.
pub trait Workload: Sync + Sized {
    /// The data that a thread keeps from one operation to the next.
    type Local;

    /// True if some operations only read. If false, the loop has no reading branch.
    const READS: bool = false;

    /// Makes the shared data for a cell.
    fn new(cell: &Cell) -> Self;

    /// Returns the number of locks that divide the shared data.
    fn stripes(&self) -> usize {
        1
    }

    /// Makes a thread's own state.
    fn local(&self, thread: u32) -> Self::Local;

    /// Chooses, before the acquisition, which lock to take, and how.
    fn aim(&self, _local: &mut Self::Local) -> Aim {
        Aim {
            stripe: 0,
            read_only: false,
        }
    }

    /// Does the work inside, alone. Returns whether an operation was completed (a consumer may find nothing).
    fn enter(&self, local: &mut Self::Local) -> bool;

    /// Does the work inside, among readers. May run more than once for one operation.
    fn read(&self, _local: &Self::Local) {}

    /// Checks, after all threads have stopped, that the data show no two threads inside at once.
    ///
    /// `operations` counts all completed operations. The error states the expected and the found value.
    fn verify(&self, locals: Vec<Self::Local>, operations: u64) -> Result<(), String>;
}

/// Compares two values; the error has the usual form of a failed verification.
pub(super) fn expect_equal(what: &str, found: u64, expected: u64) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("{what}: {found} where {expected} were expected"))
    }
}
