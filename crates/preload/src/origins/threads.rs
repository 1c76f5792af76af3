//! The same functions for a thread that has its own tables.

use locktoll_recording::layout::{BirthBy, LockKind};

use super::births::Inherited;
use crate::recorder::Recorder;
use crate::thread::Thread;

/// The number of a holder's calls that are kept. The stacks of its waiters show the purpose in more detail.
const HOLDER_FRAMES: usize = 6;

impl Recorder {
    /// Returns the number of the stack of calls that led to `site`, or zero.
    pub fn stack(&'static self, thread: &Thread, site: usize) -> u32 {
        self.stack_id(Some(&thread.stacks), site)
    }

    /// Returns the number of the innermost calls of that stack, as many as a library's wrappers of lock functions take up, or
    /// zero.
    pub fn holder_stack(&'static self, thread: &Thread, site: usize) -> u32 {
        self.stack_of(Some(&thread.stacks), site, HOLDER_FRAMES)
    }

    /// Returns the number of the birth of a lock by the call at `site`, or zero.
    pub fn birth(
        &'static self,
        thread: Option<&Thread>,
        site: usize,
        by: BirthBy,
        kind: LockKind,
    ) -> u32 {
        self.birth_id(thread.map(|thread| &thread.stacks), site, by, kind, None)
    }

    /// Does the same for a lock that existed before the process was forked, and is acquired for the first time since.
    pub fn inherited_birth(
        &'static self,
        thread: Option<&Thread>,
        site: usize,
        kind: LockKind,
        inherited: Inherited,
    ) -> u32 {
        let (stacks, by) = (thread.map(|thread| &thread.stacks), BirthBy::FirstUse);
        self.birth_id(stacks, site, by, kind, Some(inherited))
    }
}
