//! The same for a thread that has tables of its own.

use locktoll_recording::layout::{BirthBy, LockKind};

use super::births::Inherited;
use crate::recorder::Recorder;
use crate::thread::Thread;

/// So many calls of a holder are kept: what it was about, its waiters' stacks say at length.
const HOLDER_FRAMES: usize = 6;

impl Recorder {
    /// The stack of calls that led to `site`, as a number, or zero.
    pub fn stack(&'static self, thread: &Thread, site: usize) -> u32 {
        self.stack_id(Some(&thread.stacks), site)
    }

    /// The innermost calls of that stack, as far as a library's wrappers of lock functions reach, as a number, or zero.
    pub fn holder_stack(&'static self, thread: &Thread, site: usize) -> u32 {
        self.stack_of(Some(&thread.stacks), site, HOLDER_FRAMES)
    }

    /// The birth of a lock by the call at `site`, as a number, or zero.
    pub fn birth(
        &'static self,
        thread: Option<&Thread>,
        site: usize,
        by: BirthBy,
        kind: LockKind,
    ) -> u32 {
        self.birth_id(thread.map(|thread| &thread.stacks), site, by, kind, None)
    }

    /// The same of a lock that was there before the process was forked, and is acquired for the first time since.
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
