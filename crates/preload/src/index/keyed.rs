//! Records that are found by lock and call site.

use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use locktoll_recording::layout::{
    BlameRecord, ContentionRecord, CountRecord, EntryPoint, HoldRecord, LockKind, OrderRecord,
    Record, StackWaitRecord,
};

use super::key::Key;
use crate::place::Place;
use crate::sites::SiteAddresses;

/// A record that can be found by lock and call site.
pub trait Keyed: Record + 'static {
    /// Returns the key fields, and those that are filled together with them.
    fn head(&self) -> Head<'_>;

    /// Returns [`Key::other`], or zero in records that do not have it.
    fn other(&self) -> u32;

    /// Sets it, in records that have it.
    fn set_other(&self, other: u32);
}

/// The fields that all keyed records have.
pub struct Head<'r> {
    pub lock: &'r AtomicU64,
    /// Distinguishes locks at the same address.
    pub generation: &'r AtomicU32,
    /// The number of the call site.
    pub site: &'r AtomicU32,
    /// `EntryPoint`.
    pub entry: &'r AtomicU8,
    /// `LockKind`.
    pub kind: &'r AtomicU8,
    /// The origin of the lock.
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
    OrderRecord, self, other: self.chain.load(Relaxed), self.chain.store(other, Relaxed);
    StackWaitRecord, self, other: self.stack.load(Relaxed), self.stack.store(other, Relaxed);
}

/// Returns the key for which `record` was filled.
pub fn key_of<R: Keyed>(record: &R, sites: &SiteAddresses) -> Key {
    let head = record.head();
    Key {
        lock: head.lock.load(Relaxed) as usize,
        generation: head.generation.load(Relaxed),
        site: sites.get(head.site.load(Relaxed)),
        // This library fills the records of an index, so the number is always valid.
        entry: EntryPoint::from_number(head.entry.load(Relaxed)).unwrap_or(EntryPoint::Lock),
        kind: LockKind::from_number(head.kind.load(Relaxed)).unwrap_or(LockKind::Mutex),
        birth: head.birth.load(Relaxed),
        other: record.other(),
    }
}
