//! Records that a lock and a call site lead to.

use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use locktoll_recording::layout::{
    BlameRecord, ContentionRecord, CountRecord, EntryPoint, HoldRecord, LockKind, Record,
    StackWaitRecord,
};

use super::key::Key;
use crate::sites::SiteAddresses;

/// A record that a lock and a call site lead to.
pub trait Keyed: Record + 'static {
    /// The fields it is found by, and those that are filled with them.
    fn head(&self) -> Head<'_>;

    /// What [`Key::other`] says, in the records that have it.
    fn other(&self) -> Option<&AtomicU32>;
}

/// The fields that all keyed records have.
pub struct Head<'r> {
    pub lock: &'r AtomicU64,
    /// Which lock at that address.
    pub generation: &'r AtomicU32,
    /// The number of the call site.
    pub site: &'r AtomicU32,
    /// `EntryPoint`.
    pub entry: &'r AtomicU8,
    /// `LockKind`.
    pub kind: &'r AtomicU8,
    /// Where the lock came from.
    pub birth: &'r AtomicU32,
}

macro_rules! keyed {
    ($($record:ident, $self:ident => $other:expr;)*) => {
        $(impl Keyed for $record {
            #[inline(always)]
            fn head(&self) -> Head<'_> {
                Head {
                    lock: &self.lock,
                    generation: &self.generation,
                    site: &self.site,
                    entry: &self.entry,
                    kind: &self.kind,
                    birth: &self.birth,
                }
            }

            #[inline(always)]
            fn other(&$self) -> Option<&AtomicU32> {
                $other
            }
        })*
    };
}

keyed! {
    CountRecord, self => None;
    ContentionRecord, self => None;
    HoldRecord, self => None;
    BlameRecord, self => Some(&self.holder_site);
    StackWaitRecord, self => Some(&self.stack);
}

/// What `record` was filled for.
pub fn key_of<R: Keyed>(record: &R, sites: &SiteAddresses) -> Key {
    let head = record.head();
    Key {
        lock: head.lock.load(Relaxed) as usize,
        generation: head.generation.load(Relaxed),
        site: sites.get(head.site.load(Relaxed)),
        // The records of an index are filled by us, so the number is that of a word.
        entry: EntryPoint::from_number(head.entry.load(Relaxed)).unwrap_or(EntryPoint::Lock),
        kind: LockKind::from_number(head.kind.load(Relaxed)).unwrap_or(LockKind::Mutex),
        birth: head.birth.load(Relaxed),
        other: record.other().map_or(0, |other| other.load(Relaxed)),
    }
}
