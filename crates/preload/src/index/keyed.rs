//! Records that are found by a lock and a call site.

use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use locktoll_recording::layout::{
    BlameRecord, ContentionRecord, CountRecord, EntryPoint, HoldRecord, LockKind, Record,
    StackWaitRecord,
};

use super::key::Key;
use crate::place::Place;
use crate::sites::SiteAddresses;

/// A record that a lock and a call site lead to.
pub trait Keyed: Record + 'static {
    /// The fields it is found by, and those that are filled with them.
    fn head(&self) -> Head<'_>;

    /// What [`Key::other`] says; zero in the records that do not have it.
    fn other(&self) -> u32;

    /// Fills it, in the records that have it.
    fn set_other(&self, other: u32);
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
    ($($record:ident, $self:ident, $set:ident: $other:expr, $set_other:expr;)*) => {
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
            fn other(&$self) -> u32 {
                $other
            }

            fn set_other(&$self, $set: u32) {
                $set_other
            }
        })*
    };
}

keyed! {
    CountRecord, self, _other: 0, ();
    ContentionRecord, self, _other: 0, ();
    HoldRecord, self, _other: 0, ();
    BlameRecord, self, other: {
        let (site, stack) = (self.holder_site.load(Relaxed), self.holder_stack.load(Relaxed));
        Place::new(site, stack).number()
    }, {
        let place = Place::from_number(other);
        self.holder_site.store(place.site(), Relaxed);
        self.holder_stack.store(place.stack(), Relaxed);
    };
    StackWaitRecord, self, other: self.stack.load(Relaxed), self.stack.store(other, Relaxed);
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
        other: record.other(),
    }
}
