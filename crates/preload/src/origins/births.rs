//! Numbers of births, which record where locks came from.

use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{BirthBy, BirthRecord, LockKind};

use crate::lineage::Ancestor;
use crate::numbers::{Wanted, hash};
use crate::recorder::{Guard, Recorder};

/// A birth in the part of a process from which this one was forked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inherited {
    pub from: Ancestor,
    /// `BirthRecord::id` there.
    pub birth: u32,
}

/// What identifies a birth apart from its site.
#[derive(Clone, Copy)]
pub struct BirthKey {
    /// The number of the stack that led to it, or 0.
    pub stack: u32,
    pub by: BirthBy,
    pub kind: LockKind,
}

impl BirthKey {
    /// Returns all of it in one word of less than 48 bits, which is not 0.
    pub fn word(self) -> u64 {
        u64::from(self.stack)
            | u64::from(self.by.number()) << 32
            | u64::from(self.kind.number()) << 40
    }
}

impl Recorder {
    /// Counts one more lock from the birth with this number. The number 0 means an unknown origin.
    pub fn count_birth(&self, birth: u32) {
        // SAFETY: the number was handed out, or is 0.
        if let Some(record) = unsafe { self.births().record(birth) } {
            // Relaxed: a counter that publishes no other memory. It is shared by threads, and rarely touched.
            record.locks.fetch_add(1, Relaxed);
        }
    }
}

impl Guard<'_> {
    /// Returns the number of the birth described by `key`, at a call that returns to `site`, or 0 if there is no room for it.
    #[inline(never)]
    pub(super) fn birth(&self, key: BirthKey, site: usize, inherited: Option<Inherited>) -> u32 {
        let site = self.site(site);
        let BirthKey { stack, by, kind } = key;
        let [pid, sequence, birth] =
            inherited.map_or([0; 3], |it| [it.from.pid, it.from.sequence, it.birth]);
        let of = u64::from(pid) << 32 | u64::from(birth);
        let wanted = Wanted {
            hash: hash([key.word(), u64::from(site), of].into_iter()),
            is: |record: &BirthRecord| {
                record.stack.load(Relaxed) == stack
                    && record.site.load(Relaxed) == site
                    && record.by.load(Relaxed) == by.number()
                    && record.kind.load(Relaxed) == kind.number()
                    && record.ancestor_pid.load(Relaxed) == pid
                    && record.ancestor_sequence.load(Relaxed) == sequence
                    && record.ancestor_birth.load(Relaxed) == birth
            },
            fill: |record: &BirthRecord, id| {
                record.id.store(id, Relaxed);
                record.stack.store(stack, Relaxed);
                record.site.store(site, Relaxed);
                record.by.store(by.number(), Relaxed);
                record.kind.store(kind.number(), Relaxed);
                record.ancestor_pid.store(pid, Relaxed);
                record.ancestor_sequence.store(sequence, Relaxed);
                record.ancestor_birth.store(birth, Relaxed);
            },
            first_records: 100,
        };
        let shared = self.shared();
        // SAFETY: N1, since the guard is the lock.
        unsafe { shared.births.intern(wanted, &shared.part) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_birth_is_one_word_that_all_its_parts_decide() {
        let (made, used) = (BirthBy::Initialisation, BirthBy::FirstUse);
        for (by, kind) in [(made, LockKind::Mutex), (used, LockKind::Barrier)] {
            let stack = 0xfffe;
            let word = BirthKey { stack, by, kind }.word();
            let parts = [word & 0xffff_ffff, word >> 32 & 0xff, word >> 40];
            let expected = [u64::from(stack), by.number().into(), kind.number().into()];
            assert_eq!(parts, expected);
        }
    }
}
