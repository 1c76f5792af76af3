//! The sum of the processes of one program.

use core::mem::offset_of;
use std::collections::HashMap;
use std::vec::Vec;

use super::header;
use super::image::Image;
use super::moved::{Lock, Moved};
use super::places::Places;
use super::process::{Number, records_of};
use crate::layout::{
    BirthRecord, BlameRecord, CountRecord, DropReason, HELD_KEPT, HeldRecord, HoldRecord,
    ModuleRecord, NO_OWNER, OrderRecord, POOLED, RecordKind, StackWaitRecord,
};
use crate::reader::RawPart;
use crate::reader::bytes::Fields;
use crate::reader::since::{Group, Id, add, none_of, put, shape_of};

/// The greatest number of records with figures. Further ones are counted without their lock and place.
const MOST_RECORDS: usize = 1 << 16;
/// The last thread slot that is kept as it is. Which slot made a record matters for the slots of few threads only.
const LAST_SLOT: u32 = 15;

/// The sum of the processes of one program, as a part.
pub struct Sum {
    part: RawPart,
    pub(super) places: Places,
    /// Where the records with figures are: the group, and the first byte in it.
    records: HashMap<Id, (usize, usize)>,
    /// Whether no process has been added yet.
    is_empty: bool,
}

impl Sum {
    /// Begins the sum of the program of this part, as the one with this number among all sums.
    pub fn begin(first: &RawPart, number: u32) -> Self {
        let mut part = first.without_records();
        header::begin(&mut part.header, number);
        Self {
            is_empty: true,
            ..Self::of(part)
        }
    }

    /// Continues with a sum that was made before.
    pub fn of(part: RawPart) -> Self {
        let mut records = HashMap::new();
        for (number, group) in part.groups.iter().enumerate() {
            let Some(shape) = shape_of(group.kind) else {
                continue;
            };
            for (place, record) in group.records().enumerate() {
                let id = Id::of(group.kind, group.owner, shape, record);
                records.insert(id, (number, place * group.record_bytes));
            }
        }
        Self {
            places: Places::of(&part),
            part,
            records,
            is_empty: false,
        }
    }

    /// Returns the part.
    pub fn part(&self) -> &RawPart {
        &self.part
    }

    /// Adds the part of a process that has ended.
    pub fn add(
        &mut self,
        number: Number,
        part: &RawPart,
        parts: &HashMap<Number, &RawPart>,
        image: Image,
    ) {
        let mut moved = Moved::new(number, part, parts);
        let keeps_orders = std::mem::take(&mut self.is_empty);
        // The first module is the program, which the sum is known by.
        let modules = records_of(part, RecordKind::Module);
        if let Some(first) = modules.map(|it| it.u32(offset_of!(ModuleRecord, id))).min() {
            moved.module_of(self, number, first);
        }
        header::add_image(&mut self.part.header, part, image);
        for birth in records_of(part, RecordKind::Birth) {
            let id = moved.birth(self, birth.u32(offset_of!(BirthRecord, id)));
            self.add_locks(id, birth);
        }
        for group in &part.groups {
            if matches!(group.kind, RecordKind::Birth | RecordKind::Thread) {
                continue;
            }
            for record in group.records() {
                let mut new = record.to_vec();
                self.move_record(&mut moved, group.kind, &mut new);
                self.count_lost_site(group.kind, record, &new);
                let is_kept = keeps_orders || group.kind != RecordKind::Order;
                self.add_record(group.kind, group.owner.min(LAST_SLOT), new, is_kept);
            }
        }
    }

    /// Adds the same sum as it was at another time.
    pub fn add_same(&mut self, part: &RawPart) {
        header::add_same(&mut self.part.header, part);
        for group in &part.groups {
            for record in group.records() {
                self.add_record(group.kind, group.owner, record.to_vec(), true);
            }
        }
    }

    /// Removes all figures, and keeps the places.
    pub fn clear(&mut self) {
        header::without_figures(&mut self.part.header);
        for group in &mut self.part.groups {
            if let Some(shape) = shape_of(group.kind) {
                let none = group.records().flat_map(|it| none_of(shape, it)).collect();
                group.bytes = none;
            }
        }
    }

    /// Adds the number of locks of a birth.
    fn add_locks(&mut self, id: u32, birth: Fields<'_>) {
        let mut record = birth.0.to_vec();
        put(&mut record, offset_of!(BirthRecord, id), &id.to_le_bytes());
        // The birth is there, or one for all births without room.
        self.add_record(RecordKind::Birth, NO_OWNER, record, false);
    }

    /// Adds the figures of a record to those of the record that is identified alike; if there is none, it is appended if `is_kept`.
    fn add_record(&mut self, kind: RecordKind, owner: u32, mut record: Vec<u8>, is_kept: bool) {
        let Some(shape) = shape_of(kind) else {
            return;
        };
        let mut id = Id::of(kind, owner, shape, &record);
        if self.records.len() >= MOST_RECORDS && !self.records.contains_key(&id) && shape.is_folded
        {
            let before = record.clone();
            forget_place(kind, &mut record);
            self.count_lost_site(kind, &before, &record);
            id = Id::of(kind, owner, shape, &record);
        }
        let there = self.records.get(&id).copied();
        let there = there.and_then(|(group, at)| self.part.groups[group].bytes.get_mut(at..));
        match there {
            Some(bytes) => {
                let length = record.len().min(bytes.len());
                add(&mut bytes[..length], shape, &record);
            }
            None if is_kept && self.records.len() < 2 * MOST_RECORDS => {
                let place = self.append(kind, owner, record);
                self.records.insert(id, place);
            }
            None if kind == RecordKind::Order => {
                let times = Fields(&record).u64(offset_of!(OrderRecord, times));
                self.count_dropped(DropReason::OrderTableFull, times);
            }
            None => {}
        }
    }

    /// Counts items that the sum does not have, or not at their place.
    pub(super) fn count_dropped(&mut self, reason: DropReason, items: u64) {
        header::drop(&mut self.part.header, reason, items);
    }

    /// Counts acquisitions whose call site had no room.
    fn count_lost_site(&mut self, kind: RecordKind, before: &[u8], after: &[u8]) {
        let has_site = |record| Fields(record).u32(offset_of!(CountRecord, site)) != 0;
        if kind == RecordKind::Count && has_site(before) && !has_site(after) {
            let acquisitions = Fields(after).u64(offset_of!(CountRecord, acquisitions));
            self.count_dropped(DropReason::SiteTableFull, acquisitions);
        }
    }

    /// Appends a record. Returns its group, and its place there.
    pub(super) fn append(
        &mut self,
        kind: RecordKind,
        owner: u32,
        record: Vec<u8>,
    ) -> (usize, usize) {
        let groups = &mut self.part.groups;
        let is_same =
            |it: &Group| (it.kind, it.owner, it.record_bytes) == (kind, owner, record.len());
        let number = groups.iter().position(is_same).unwrap_or_else(|| {
            groups.push(Group {
                kind,
                owner,
                record_bytes: record.len(),
                bytes: Vec::new(),
            });
            groups.len() - 1
        });
        let at = groups[number].bytes.len();
        if kind == RecordKind::Birth
            && let Some(shape) = shape_of(kind)
        {
            let id = Id::of(kind, owner, shape, &record);
            self.records.insert(id, (number, at));
        }
        groups[number].bytes.extend_from_slice(&record);
        (number, at)
    }

    /// Turns the numbers and addresses of a process into those of the sum.
    fn move_record(&mut self, moved: &mut Moved<'_>, kind: RecordKind, record: &mut [u8]) {
        const HEAD: LockFields = LockFields {
            lock: offset_of!(CountRecord, lock),
            site: offset_of!(CountRecord, site),
            generation: offset_of!(CountRecord, generation),
            birth: offset_of!(CountRecord, birth),
        };
        if shape_of(kind).is_none() {
            return;
        }
        self.move_lock(moved, record, HEAD);
        match kind {
            // What only the writer uses.
            RecordKind::Count => put(record, offset_of!(CountRecord, until_timed), &[0; 2]),
            RecordKind::Hold => put(record, offset_of!(HoldRecord, period), &[0; 8]),
            RecordKind::Blame => {
                self.move_site(moved, record, offset_of!(BlameRecord, holder_site));
                self.move_stack(moved, record, offset_of!(BlameRecord, holder_stack));
            }
            RecordKind::StackWait => {
                self.move_stack(moved, record, offset_of!(StackWaitRecord, stack));
            }
            RecordKind::Order => self.move_order(moved, record),
            _ => {}
        }
    }

    fn move_order(&mut self, moved: &mut Moved<'_>, record: &mut [u8]) {
        self.move_stack(moved, record, offset_of!(OrderRecord, stack));
        // Made of addresses; the held locks are in the record.
        put(record, offset_of!(OrderRecord, chain), &[0; 4]);
        for number in 0..HELD_KEPT {
            let held = offset_of!(OrderRecord, held) + number * size_of::<HeldRecord>();
            let places = LockFields {
                lock: held + offset_of!(HeldRecord, lock),
                site: held + offset_of!(HeldRecord, site),
                generation: held + offset_of!(HeldRecord, generation),
                birth: held + offset_of!(HeldRecord, birth),
            };
            self.move_lock(moved, record, places);
            self.move_stack(moved, record, held + offset_of!(HeldRecord, stack));
        }
    }

    fn move_lock(&mut self, moved: &mut Moved<'_>, record: &mut [u8], at: LockFields) {
        self.move_site(moved, record, at.site);
        let fields = Fields(record);
        let lock: Lock = (
            fields.u64(at.lock),
            fields.u32(at.generation),
            fields.u32(at.birth),
        );
        let site = fields.u32(at.site);
        let (address, generation, birth) = moved.lock(self, lock, site);
        put(record, at.lock, &address.to_le_bytes());
        put(record, at.generation, &generation.to_le_bytes());
        put(record, at.birth, &birth.to_le_bytes());
    }

    fn move_site(&mut self, moved: &mut Moved<'_>, record: &mut [u8], at: usize) {
        let site = moved.site(self, Fields(record).u32(at));
        put(record, at, &site.to_le_bytes());
    }

    fn move_stack(&mut self, moved: &mut Moved<'_>, record: &mut [u8], at: usize) {
        let stack = moved.stack(self, Fields(record).u32(at));
        put(record, at, &stack.to_le_bytes());
    }
}

/// Where a record names a lock.
#[derive(Clone, Copy)]
struct LockFields {
    lock: usize,
    site: usize,
    generation: usize,
    birth: usize,
}

/// Turns a record of figures into one of all locks and places.
fn forget_place(kind: RecordKind, record: &mut [u8]) {
    put(record, offset_of!(CountRecord, lock), &POOLED.to_le_bytes());
    let place = offset_of!(CountRecord, site)..offset_of!(CountRecord, kind);
    put(record, place.start, &[0; 12]);
    debug_assert_eq!(place.len(), 12);
    match kind {
        RecordKind::Blame => put(record, offset_of!(BlameRecord, holder_site), &[0; 8]),
        RecordKind::StackWait => put(record, offset_of!(StackWaitRecord, stack), &[0; 4]),
        _ => {}
    }
}
