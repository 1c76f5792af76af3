//! No lock at all: the cost of the loop by itself.

use super::{Contender, CreateError, LockOptions};

/// A lock that does nothing. The runner subtracts the time of the loop over it from that of the loop over a lock.
pub(super) struct NoLock;

impl Contender for NoLock {
    type Held<'a> = ();

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(NoLock)
    }

    #[inline(always)]
    fn acquire(&self) {}
}
