//! The locks of a timeline, numbered as they appear.

use std::collections::HashMap;

use locktoll_recording::layout::{EventWords, LockKind};

use super::super::order::RowsOf;
use super::super::part_view::PartView;

/// How many locks are found without searching.
const RECENT: usize = 256;

/// All locks, over all parts.
#[derive(Default)]
pub struct Locks {
    numbers: HashMap<LockKey, u32>,
    /// Every lock.
    pub list: Vec<FoundLock>,
}

/// The part, and the lock there.
type LockKey = (usize, u64, u32, LockKind);

/// A lock of one part: its address, generation and kind.
type Key = (u64, u32, LockKind);

/// A lock of a timeline.
#[derive(Clone, Copy, Debug)]
pub struct FoundLock {
    /// The process.
    pub pid: u32,
    /// Its address there.
    pub address: u64,
    /// Its kind.
    pub kind: LockKind,
    /// The row of the profile.
    pub row: Option<usize>,
}

/// The locks of one part.
pub struct PartLocks<'l, 'v, 'p> {
    all: &'l mut Locks,
    view: &'v PartView<'p>,
    rows: &'v RowsOf,
    recent: Vec<Option<(Key, u32)>>,
}

impl Locks {
    /// Begins with the locks of a part.
    pub fn of_part<'l, 'v, 'p>(
        &'l mut self,
        view: &'v PartView<'p>,
        rows: &'v RowsOf,
    ) -> PartLocks<'l, 'v, 'p> {
        PartLocks {
            all: self,
            view,
            rows,
            recent: vec![None; RECENT],
        }
    }
}

impl PartLocks<'_, '_, '_> {
    /// Returns the number of the lock that an event is about; `None` for a kind of a later version.
    pub fn of(&mut self, event: EventWords) -> Option<u32> {
        let key = (event.address(), event.generation(), event.lock_kind()?);
        // Multiplicative hashing: locks lie at multiples of 8.
        let place = (key.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize % RECENT;
        if let Some((known, number)) = self.recent[place]
            && known == key
        {
            return Some(number);
        }
        let number = self.number(key);
        self.recent[place] = Some((key, number));
        Some(number)
    }

    /// Returns the number of the lock at an address, the last one there.
    pub fn at(&mut self, address: u64) -> Option<u32> {
        let instances = self.view.instances.list();
        let end = instances.partition_point(|it| it.address <= address);
        let last = instances.get(end.checked_sub(1)?)?;
        (last.address == address).then(|| self.number((address, last.generation, last.kind)))
    }

    fn number(&mut self, (address, generation, kind): Key) -> u32 {
        let key = (self.view.position, address, generation, kind);
        let list = &mut self.all.list;
        *self.all.numbers.entry(key).or_insert_with(|| {
            let instance = self.view.instances.at(address, generation, kind);
            list.push(FoundLock {
                pid: self.view.part.process.pid,
                address,
                kind,
                row: instance.and_then(|instance| self.rows.of(instance)),
            });
            list.len() as u32 - 1
        })
    }
}
