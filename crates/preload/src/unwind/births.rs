//! Numbers of births: where locks came from.

use core::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{BirthBy, BirthRecord, LockKind};

use super::interned::{Interned, Wanted};
use super::stacks::hash;
use crate::recorder::{Guard, Recorder};

/// The births of the process.
pub type Births = Interned<BirthRecord>;

/// What is said of a birth beside its site.
#[derive(Clone, Copy)]
pub struct BirthKey {
    /// The number of the stack that led there, or 0.
    pub stack: u32,
    /// What happened there.
    pub by: BirthBy,
    /// To what.
    pub kind: LockKind,
}

impl BirthKey {
    /// All of it in one word of less than 48 bits, which is not 0.
    pub fn word(self) -> u64 {
        u64::from(self.stack)
            | u64::from(self.by.number()) << 32
            | u64::from(self.kind.number()) << 40
    }
}

impl Recorder {
    /// One more lock has come from the birth with this number, or from nowhere that is known if it is 0.
    pub fn count_birth(&self, birth: u32) {
        // SAFETY: the number was handed out, or is 0.
        if let Some(record) = unsafe { self.births().record(birth) } {
            // Relaxed: a counter that says nothing about other memory. Shared by threads, and rarely touched.
            record.locks.fetch_add(1, Relaxed);
        }
    }
}

impl Guard<'_> {
    /// The number of the birth that `key` describes, by a call that returns to `site`: 0 if there is no room for it.
    #[inline(never)]
    pub(super) fn birth(&self, key: BirthKey, site: usize) -> u32 {
        let site = self.site(site);
        let BirthKey { stack, by, kind } = key;
        let wanted = Wanted {
            hash: hash([key.word(), u64::from(site)].into_iter()),
            is: |record: &BirthRecord| {
                record.stack.load(Relaxed) == stack
                    && record.site.load(Relaxed) == site
                    && record.by.load(Relaxed) == by.number()
                    && record.kind.load(Relaxed) == kind.number()
            },
            fill: |record: &BirthRecord, id| {
                record.id.store(id, Relaxed);
                record.stack.store(stack, Relaxed);
                record.site.store(site, Relaxed);
                record.by.store(by.number(), Relaxed);
                record.kind.store(kind.number(), Relaxed);
            },
            first_records: 168,
        };
        let shared = self.shared();
        // SAFETY: N1, the guard is the lock.
        unsafe { shared.births.intern(wanted, &shared.part) }
    }
}
