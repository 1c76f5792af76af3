//! The sequence lock as a contender: exclusive for writers, optimistic for readers.

use locktoll_locks::catalogue::Catalogued;
use locktoll_locks::{Futex3, SeqLock, SeqLockWriting};

use super::super::{Contender, CreateError, LockOptions};

/// A sequence lock whose writers use the three-state futex lock for mutual exclusion.
pub(super) struct Sequence(SeqLock<Futex3>);

impl Contender for Sequence {
    type Held<'a> = SeqLockWriting<'a, Futex3>;

    fn create(options: &LockOptions) -> Result<Self, CreateError> {
        Ok(Self(SeqLock::around(Futex3::with_number(options.spin))))
    }

    #[inline(always)]
    fn acquire(&self) -> Self::Held<'_> {
        self.0.writing()
    }

    #[inline(always)]
    fn read<R>(&self, body: impl FnMut() -> R) -> R {
        self.0.read(body)
    }
}
