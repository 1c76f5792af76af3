//! The interface of a workload that the measured loop needs.

use crate::cell::Cell;

/// Which lock an operation goes for, and how.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aim {
    /// Index of the lock.
    pub stripe: usize,
    /// Only reads, so that a shared acquisition is enough.
    pub read_only: bool,
}

/// One kind of critical section with its shared data.
pub trait Workload: Sync + Sized {
    /// What a thread keeps for itself from one operation to the next.
    type Local;

    /// True when some operations only read. Where it is false the loop has no reading branch.
    const READS: bool = false;

    /// Shared data for a cell.
    fn new(cell: &Cell) -> Self;

    /// How many locks the shared data are divided over.
    fn stripes(&self) -> usize {
        1
    }

    /// A thread's own state.
    fn local(&self, thread: u32) -> Self::Local;

    /// Before the acquisition: which lock, and how.
    fn aim(&self, _local: &mut Self::Local) -> Aim {
        Aim {
            stripe: 0,
            read_only: false,
        }
    }

    /// Inside, alone. Returns whether an operation was completed (a consumer may find nothing).
    fn enter(&self, local: &mut Self::Local) -> bool;

    /// Inside, among readers. May run more than once for one operation.
    fn read(&self, _local: &Self::Local) {}

    /// After all threads have stopped: do the data show that no two threads were inside at once?
    ///
    /// `operations` counts all completed operations. The error says what was expected and found.
    fn verify(&self, locals: Vec<Self::Local>, operations: u64) -> Result<(), String>;
}

/// The usual form of a failed verification.
pub(super) fn expect_equal(what: &str, found: u64, expected: u64) -> Result<(), String> {
    if found == expected {
        Ok(())
    } else {
        Err(format!("{what}: {found} where {expected} were expected"))
    }
}
