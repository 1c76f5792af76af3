//! Where locks came from and how waits came about, as numbers of births and stacks.

use locktoll_recording::layout::{BirthBy, LockKind};

use crate::recorder::Recorder;
use crate::thread::Thread;

impl Recorder {
    /// The stack of calls that led to `site`, as a number, or zero.
    pub fn stack(&'static self, thread: &Thread, site: usize) -> u32 {
        self.stack_id(Some(&thread.stacks), site)
    }

    /// The birth of a lock by the call at `site`, as a number, or zero.
    pub fn birth(
        &'static self,
        thread: Option<&Thread>,
        site: usize,
        by: BirthBy,
        kind: LockKind,
    ) -> u32 {
        self.birth_id(thread.map(|thread| &thread.stacks), site, by, kind)
    }
}
