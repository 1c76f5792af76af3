//! What a value depends on: a set of kinds.

/// A set of kinds of dependence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sort(u16);

impl Sort {
    /// Nothing but constants and registers that do not change in the loop.
    pub const FIXED: Sort = Sort(0);
    /// Memory at an address that is the same in each round, outside the stack frame.
    pub const WORD: Sort = Sort(1);
    /// Memory in the stack frame that the loop does not write.
    pub const FRAME: Sort = Sort(2);
    /// Memory at several addresses that an inner loop visits, the same in each round.
    pub const SCAN: Sort = Sort(4);
    /// A counter that goes on from round to round.
    pub const COUNTER: Sort = Sort(8);
    /// A value that is computed from the one of the round before.
    pub const COMPUTED: Sort = Sort(16);
    /// A value that changes in an inner loop, and begins anew in each round.
    pub const INNER: Sort = Sort(32);
    /// A clock.
    pub const CLOCK: Sort = Sort(64);
    /// The result of a system call.
    pub const SYSTEM: Sort = Sort(128);
    /// The outcome of a comparison that only a write by another thread can change.
    pub const WAITED: Sort = Sort(256);
    /// One of several values, by the path that was taken.
    pub const CHOICE: Sort = Sort(512);

    /// Whether an update that expects what it read before has failed.
    pub const RETRY: Sort = Sort(1024);

    /// Everything that differs from round to round.
    pub const CARRIED: Sort = Sort(8 | 16);
    /// Every kind of memory.
    pub const MEMORY: Sort = Sort(1 | 2 | 4);

    /// Whether it has any of `other`.
    pub const fn has(self, other: Sort) -> bool {
        self.0 & other.0 != 0
    }

    /// Without `other`.
    pub const fn without(self, other: Sort) -> Sort {
        Sort(self.0 & !other.0)
    }

    /// Only `other`.
    pub const fn only(self, other: Sort) -> Sort {
        Sort(self.0 & other.0)
    }
}

impl std::ops::BitOr for Sort {
    type Output = Sort;

    fn bitor(self, other: Sort) -> Sort {
        Sort(self.0 | other.0)
    }
}
