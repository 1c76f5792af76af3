//! The places of one process, by its own numbers.

use core::mem::offset_of;
use std::collections::{BTreeSet, HashMap};
use std::vec::Vec;

use super::places::module_key;
use crate::layout::{BirthRecord, ModuleRecord, RangeRecord, RecordKind, SiteRecord, StackRecord};
use crate::reader::bytes::Fields;
use crate::reader::segments::{Segments, Step};
use crate::reader::{RawPart, ReadError, Source, header, records};

/// A part of a process: its process id and sequence number.
pub type Number = (u32, u32);

/// The records of places of one part, by their ids.
pub struct Process<'p> {
    modules: HashMap<u32, Fields<'p>>,
    ranges: Vec<Fields<'p>>,
    sites: HashMap<u32, Fields<'p>>,
    stacks: HashMap<u32, Fields<'p>>,
    births: HashMap<u32, Fields<'p>>,
}

impl<'p> Process<'p> {
    /// Finds the places of a part.
    pub fn of(part: &'p RawPart) -> Self {
        let by_id = |kind, at| {
            records_of(part, kind)
                .map(|it| (it.u32(at), it))
                .filter(|&(id, _)| id != 0)
                .collect()
        };
        Self {
            modules: by_id(RecordKind::Module, offset_of!(ModuleRecord, id)),
            ranges: records_of(part, RecordKind::Range).collect(),
            sites: by_id(RecordKind::Site, offset_of!(SiteRecord, id)),
            stacks: by_id(RecordKind::Stack, offset_of!(StackRecord, id)),
            births: by_id(RecordKind::Birth, offset_of!(BirthRecord, id)),
        }
    }

    /// Returns the record of a mapped file.
    pub fn module(&self, id: u32) -> Option<Fields<'p>> {
        self.modules.get(&id).copied()
    }

    /// Returns the ranges of a mapped file.
    pub fn ranges(&self, module: u32) -> impl Iterator<Item = Fields<'p>> {
        let ranges = self.ranges.iter().copied();
        ranges.filter(move |it| it.u32(offset_of!(RangeRecord, module)) == module)
    }

    /// Returns the mapped file in which an address lies: where several had it one after another, the last.
    pub fn module_at(&self, address: u64) -> Option<u32> {
        let there = self.ranges.iter().filter(|it| {
            let start = it.u64(offset_of!(RangeRecord, start));
            (start..it.u64(offset_of!(RangeRecord, end))).contains(&address)
        });
        there
            .map(|it| it.u32(offset_of!(RangeRecord, module)))
            .max()
    }

    /// Returns the record of a call site.
    pub fn site(&self, id: u32) -> Option<Fields<'p>> {
        self.sites.get(&id).copied()
    }

    /// Returns the record of a stack.
    pub fn stack(&self, id: u32) -> Option<Fields<'p>> {
        self.stacks.get(&id).copied()
    }

    /// Returns the record of a birth.
    pub fn birth(&self, id: u32) -> Option<Fields<'p>> {
        self.births.get(&id).copied()
    }
}

/// Returns the path of a part's program, as far as it is known.
#[must_use]
pub fn program(part: &RawPart) -> Option<Vec<u8>> {
    let modules = records_of(part, RecordKind::Module);
    let first = modules.min_by_key(|it| it.u32(offset_of!(ModuleRecord, id)));
    first.map(|it| module_key(it).0)
}

/// Returns all records of a kind.
pub fn records_of(part: &RawPart, kind: RecordKind) -> impl Iterator<Item = Fields<'_>> {
    let groups = part.groups.iter().filter(move |it| it.kind == kind);
    groups.flat_map(|group| group.records().map(Fields))
}

/// Returns the part and the birth from which the locks of a birth were inherited.
pub fn inherited(birth: Fields<'_>) -> Option<(Number, u32)> {
    let word = |at| birth.u32(at);
    let pid = word(offset_of!(BirthRecord, ancestor_pid));
    let sequence = word(offset_of!(BirthRecord, ancestor_sequence));
    let id = word(offset_of!(BirthRecord, ancestor_birth));
    (pid != 0).then_some(((pid, sequence), id))
}

/// Returns the parts whose births the births of this part refer to, by process id and sequence number. Nothing else is read.
///
/// # Errors
/// If the part cannot be read.
pub fn ancestors<S: Source + ?Sized>(part: &S) -> Result<BTreeSet<Number>, ReadError> {
    let header = header::read(part, 0)?;
    let mut found = BTreeSet::new();
    let available = part.length()?;
    let mut walk = Segments::new(part, header.header_bytes, header.part_bytes, available);
    loop {
        match walk.step()? {
            Step::Segment(segment) if segment.kind == RecordKind::Birth => {
                records::for_each(part, &segment, |birth| {
                    found.extend(inherited(birth).map(|(number, _)| number));
                    true
                })?;
            }
            Step::Segment(_) | Step::Passed => {}
            Step::Warning(_) | Step::End => return Ok(found),
        }
    }
}
