//! No lock at all: the cost of the loop by itself.

use super::{Contender, CreateError, LockOptions};

/// Nothing. The runner subtracts the loop over it from the loop over a lock.
pub(super) struct NoLock;

impl Contender for NoLock {
    type Held<'a> = ();

    fn create(_: &LockOptions) -> Result<Self, CreateError> {
        Ok(NoLock)
    }

    #[inline(always)]
    fn acquire(&self) {}
}
