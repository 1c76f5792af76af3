//! A context: a call on a lock, and the locks that the thread holds.

use core::sync::atomic::Ordering::{Relaxed, Release};
use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use locktoll_recording::layout::{
    CountRecord, EntryPoint, HELD_KEPT, HeldRecord, LockKind, OrderEvent, OrderRecord, POOLED,
    order_flags,
};

use crate::held::HeldLocks;
use crate::index::Key;
use crate::numbers::hash;
use crate::sites::SiteAddresses;

/// One lock of a context, as its count says.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Link {
    pub lock: u64,
    pub generation: u32,
    pub birth: u32,
    pub site: u32,
    pub kind: u8,
    pub entry: u8,
}

impl Link {
    pub fn of(count: &CountRecord) -> Self {
        Self {
            lock: count.lock.load(Relaxed),
            generation: count.generation.load(Relaxed),
            birth: count.birth.load(Relaxed),
            site: count.site.load(Relaxed),
            kind: count.kind.load(Relaxed),
            entry: count.entry.load(Relaxed),
        }
    }

    /// Whether the lock itself is known, and not only its birth.
    fn is_single(&self) -> bool {
        self.lock != 0 && self.lock != POOLED
    }

    /// Returns the same for all locks of its birth.
    fn pooled(self) -> Self {
        match self.lock {
            0 => self,
            _ => Self {
                lock: POOLED,
                generation: self.birth,
                ..self
            },
        }
    }

    fn words(&self) -> [u64; 3] {
        [
            self.lock,
            u64::from(self.generation) << 32 | u64::from(self.site),
            u64::from(self.birth) << 16 | u64::from(self.kind) << 8 | u64::from(self.entry),
        ]
    }
}

/// A held lock of a context.
#[derive(Clone, Copy, Default)]
pub struct Held {
    pub link: Link,
    /// The stack with which it was acquired, or zero.
    pub stack: u32,
    /// Bits of [`order_flags`].
    pub flags: u8,
}

pub struct Context {
    pub event: OrderEvent,
    pub acquired: Link,
    /// The held locks that were acquired last.
    held: [Held; HELD_KEPT],
    kept: usize,
    /// How many were held.
    held_locks: usize,
}

impl Context {
    /// Makes the context of a call on `acquired` by a thread that holds the first `depth` locks of `held`. Returns `None` if the
    /// thread holds none that counts.
    pub fn of(event: OrderEvent, acquired: Link, held: &HeldLocks, depth: usize) -> Option<Self> {
        let mut context = Self {
            event,
            acquired,
            held: [Held::default(); HELD_KEPT],
            kept: 0,
            held_locks: depth,
        };
        for place in depth.saturating_sub(HELD_KEPT)..depth {
            let Some((count, stack)) = held.examined(place) else {
                continue;
            };
            let link = Link::of(count);
            context.held[context.kept] = Held {
                link,
                stack,
                flags: direction(link, acquired),
            };
            context.kept += 1;
        }
        (context.kept > 0).then_some(context)
    }

    /// Returns the same for all locks of the same births.
    pub fn pooled(&self) -> Self {
        let mut held = self.held;
        for it in &mut held[..self.kept] {
            it.link = it.link.pooled();
        }
        Self {
            acquired: self.acquired.pooled(),
            held,
            ..*self
        }
    }

    /// Returns the key of its record.
    pub fn key(&self, addresses: &SiteAddresses) -> Key {
        let words = self.held[..self.kept].iter().flat_map(|it| it.link.words());
        let ends = [self.held_locks as u64, u64::from(self.event.number())];
        Key {
            lock: self.acquired.lock as usize,
            generation: self.acquired.generation,
            site: addresses.get(self.acquired.site),
            entry: EntryPoint::from_number(self.acquired.entry).unwrap_or(EntryPoint::Lock),
            kind: LockKind::from_number(self.acquired.kind).unwrap_or(LockKind::Mutex),
            birth: self.acquired.birth,
            other: (hash(words.chain(ends)) >> 32) as u32,
        }
    }

    /// Whether `record` is the record of this context. Numbers of held locks that happen to be the same are distinguished here.
    pub fn is(&self, record: &OrderRecord) -> bool {
        let held = record.held.iter().map(link_of);
        let links = self.held.iter().map(|it| it.link);
        record.event.load(Relaxed) == self.event.number()
            && record.birth.load(Relaxed) == self.acquired.birth
            && record.held_locks.load(Relaxed) as usize == self.held_locks
            && held.eq(links)
    }

    /// Fills a new record, except for its key.
    pub fn fill(&self, record: &OrderRecord, flags: u8, stack: u32) {
        record.event.store(self.event.number(), Relaxed);
        record.flags.store(flags, Relaxed);
        record.stack.store(stack, Relaxed);
        for (field, it) in record.held.iter().zip(&self.held) {
            store(&field.lock, &it.link);
            field.site.store(it.link.site, Relaxed);
            field.generation.store(it.link.generation, Relaxed);
            field.birth.store(it.link.birth, Relaxed);
            field.kind.store(it.link.kind, Relaxed);
            field.entry.store(it.link.entry, Relaxed);
        }
        self.add_to(record);
        // Release: a reader that sees the number sees the locks.
        record.held_locks.store(self.held_locks as u32, Release);
    }

    /// Adds what this event shows beyond those that the record represents already.
    pub fn add_to(&self, record: &OrderRecord) {
        for (field, it) in record.held.iter().zip(&self.held[..self.kept]) {
            set_bits(&field.flags, it.flags);
            set_if_zero(&field.stack, it.stack);
        }
    }
}

/// Returns how the address of `acquired` compares with that of `held`.
fn direction(held: Link, acquired: Link) -> u8 {
    match (
        held.is_single() && acquired.is_single(),
        held.lock < acquired.lock,
    ) {
        (false, _) => 0,
        (true, true) => order_flags::UPWARDS,
        (true, false) => order_flags::DOWNWARDS,
    }
}

fn link_of(field: &HeldRecord) -> Link {
    Link {
        lock: field.lock.load(Relaxed),
        generation: field.generation.load(Relaxed),
        birth: field.birth.load(Relaxed),
        site: field.site.load(Relaxed),
        kind: field.kind.load(Relaxed),
        entry: field.entry.load(Relaxed),
    }
}

fn store(field: &AtomicU64, link: &Link) {
    field.store(link.lock, Relaxed);
}

fn set_bits(field: &AtomicU8, bits: u8) {
    field.store(field.load(Relaxed) | bits, Relaxed);
}

fn set_if_zero(field: &AtomicU32, value: u32) {
    if field.load(Relaxed) == 0 {
        field.store(value, Relaxed);
    }
}
