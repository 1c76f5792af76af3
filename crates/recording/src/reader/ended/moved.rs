//! From the places of a process to those of a sum.

use core::mem::offset_of;
use std::collections::HashMap;
use std::vec::Vec;

use super::places::{
    MOST_RANGES, anchor, birth_key, is_truncated, module_key, site_key, sites_of, span,
};
use super::process::{Number, Process, inherited};
use super::sum::Sum;
use crate::layout::{
    BirthRecord, DropReason, ModuleRecord, NO_OWNER, POOLED, RangeRecord, RecordKind, SiteRecord,
    StackRecord,
};
use crate::reader::RawPart;
use crate::reader::bytes::Fields;
use crate::reader::since::put;

/// Where the modules of a sum lie: at addresses that no process has, each with as much room as any file needs.
const FIRST_MODULE: u64 = 1 << 60;
const MODULE_BYTES: u64 = 1 << 40;

/// The bit of a generation that says that the lock's birth is not known; the rest is the site of the record.
const UNBORN: u32 = 1 << 31;

/// The greatest number of processes between the one that made a lock and one that inherited it. Only a damaged recording has more.
const MOST_ANCESTORS: u32 = 64;

/// A lock as a record names it: address, generation and birth.
pub type Lock = (u64, u32, u32);

/// A process whose records are added to a sum, and the processes from which it was forked.
pub struct Moved<'p> {
    own: Number,
    parts: &'p HashMap<Number, &'p RawPart>,
    processes: HashMap<Number, Process<'p>>,
    /// Modules, sites, stacks and births of the sum, by their numbers in the processes. Of a module also what is added to its addresses.
    modules: HashMap<(Number, u32), Option<(u32, u64)>>,
    sites: HashMap<(Number, u32), u32>,
    stacks: HashMap<(Number, u32), u32>,
    births: HashMap<u32, u32>,
}

impl<'p> Moved<'p> {
    /// Begins with the process of a part; `parts` are those of its ancestors.
    pub fn new(own: Number, part: &'p RawPart, parts: &'p HashMap<Number, &'p RawPart>) -> Self {
        Self {
            own,
            parts,
            processes: HashMap::from([(own, Process::of(part))]),
            modules: HashMap::new(),
            sites: HashMap::new(),
            stacks: HashMap::new(),
            births: HashMap::new(),
        }
    }

    /// Returns the number of a site in the sum.
    pub fn site(&mut self, sum: &mut Sum, id: u32) -> u32 {
        self.site_of(sum, self.own, id)
    }

    /// Returns the number of a stack in the sum.
    pub fn stack(&mut self, sum: &mut Sum, id: u32) -> u32 {
        self.stack_of(sum, self.own, id)
    }

    /// Returns the lock of a record at `site` of the sum.
    pub fn lock(&mut self, sum: &mut Sum, (address, _, birth): Lock, site: u32) -> Lock {
        let birth = self.birth(sum, birth);
        if address == 0 {
            return (0, 0, birth);
        }
        let module = match address {
            POOLED => None,
            _ => self.processes[&self.own].module_at(address),
        };
        if let Some((_, by)) = module.and_then(|it| self.module_of(sum, self.own, it)) {
            return (address.wrapping_add(by), 0, birth);
        }
        let generation = if birth == 0 { UNBORN | site } else { birth };
        (POOLED, generation, birth)
    }

    /// Returns the number of a birth in the sum. Inherited locks get the birth that they had where they were made.
    pub fn birth(&mut self, sum: &mut Sum, id: u32) -> u32 {
        if let Some(&known) = self.births.get(&id) {
            return known;
        }
        let found = self.made(id).and_then(|(number, record)| {
            let word = |at| record.u32(at);
            let stack = self.stack_of(sum, number, word(offset_of!(BirthRecord, stack)));
            let site = self.site_of(sum, number, word(offset_of!(BirthRecord, site)));
            let births = &mut sum.places.births;
            let (numbered, stack, site) = match births.of(birth_key(record, stack, site)) {
                Some(numbered) => (numbered, stack, site),
                // Its locks are counted under a birth at no place.
                None => (births.of_rest(birth_key(record, 0, 0))?, 0, 0),
            };
            if numbered.is_new {
                let numbers = [
                    (offset_of!(BirthRecord, id), numbered.id),
                    (offset_of!(BirthRecord, stack), stack),
                    (offset_of!(BirthRecord, site), site),
                ];
                let mut new = renumbered(record, numbers);
                put(&mut new, offset_of!(BirthRecord, locks), &[0; 8]);
                put(&mut new, offset_of!(BirthRecord, ancestor_pid), &[0; 12]);
                sum.append(RecordKind::Birth, NO_OWNER, new);
            }
            Some(numbered.id)
        });
        self.births.insert(id, found.unwrap_or(0));
        found.unwrap_or(0)
    }

    /// Returns the birth where locks were made, and the part that has it. If that part is not known, it is where this process first took
    /// them.
    fn made(&mut self, id: u32) -> Option<(Number, Fields<'p>)> {
        let mut at = (self.own, self.processes[&self.own].birth(id)?);
        for _ in 0..MOST_ANCESTORS {
            let Some((number, id)) = inherited(at.1) else {
                break;
            };
            let Some(&part) = self.parts.get(&number) else {
                break;
            };
            let process = self.processes.entry(number);
            let Some(birth) = process.or_insert_with(|| Process::of(part)).birth(id) else {
                break;
            };
            at = (number, birth);
        }
        Some(at)
    }

    fn site_of(&mut self, sum: &mut Sum, number: Number, id: u32) -> u32 {
        let Some(record) = self.processes[&number].site(id) else {
            return 0;
        };
        if let Some(&known) = self.sites.get(&(number, id)) {
            return known;
        }
        let old = record.u32(offset_of!(SiteRecord, module));
        let (module, by) = self.module_of(sum, number, old).unwrap_or((0, 0));
        let numbered = sum.places.sites.of(site_key(record, module));
        let new = numbered.map_or(0, |numbered| {
            if numbered.is_new {
                let numbers = [
                    (offset_of!(SiteRecord, id), numbered.id),
                    (offset_of!(SiteRecord, module), module),
                ];
                let mut new = renumbered(record, numbers);
                let address = record.u64(offset_of!(SiteRecord, address)).wrapping_add(by);
                put(
                    &mut new,
                    offset_of!(SiteRecord, address),
                    &address.to_le_bytes(),
                );
                sum.append(RecordKind::Site, NO_OWNER, new);
            }
            numbered.id
        });
        self.sites.insert((number, id), new);
        new
    }

    fn stack_of(&mut self, sum: &mut Sum, number: Number, id: u32) -> u32 {
        let Some(record) = self.processes[&number].stack(id) else {
            return 0;
        };
        if let Some(&known) = self.stacks.get(&(number, id)) {
            return known;
        }
        let sites = sites_of(record).into_iter();
        let sites: Vec<u32> = sites.map(|site| self.site_of(sum, number, site)).collect();
        let numbered = sum.places.stacks.of((sites.clone(), is_truncated(record)));
        if numbered.is_none() {
            sum.count_dropped(DropReason::StackTableFull, 1);
        }
        let new = numbered.map_or(0, |numbered| {
            if numbered.is_new {
                let at = |frame| offset_of!(StackRecord, sites) + 4 * frame;
                let frames = sites.iter().enumerate();
                let numbers = frames.map(|(frame, &site)| (at(frame), site));
                let numbers = numbers.chain([(offset_of!(StackRecord, id), numbered.id)]);
                sum.append(RecordKind::Stack, NO_OWNER, renumbered(record, numbers));
            }
            numbered.id
        });
        self.stacks.insert((number, id), new);
        new
    }

    /// Returns the number of a module in the sum, and what is added to its addresses.
    pub fn module_of(&mut self, sum: &mut Sum, number: Number, id: u32) -> Option<(u32, u64)> {
        if let Some(&known) = self.modules.get(&(number, id)) {
            return known;
        }
        let moved = self.move_module(sum, number, id);
        self.modules.insert((number, id), moved);
        moved
    }

    fn move_module(&self, sum: &mut Sum, number: Number, id: u32) -> Option<(u32, u64)> {
        let process = &self.processes[&number];
        let record = process.module(id)?;
        let Some(numbered) = sum.places.modules.of(module_key(record)) else {
            let ranges = process.ranges(id).count() as u64;
            sum.count_dropped(DropReason::ModuleTableFull, ranges);
            return None;
        };
        let here = anchor(record, process.ranges(id));
        if numbered.is_new {
            let first = process.ranges(id).map(|it| span(it).0).min();
            let there = FIRST_MODULE + MODULE_BYTES * u64::from(numbered.id);
            let by = there.wrapping_sub(first.unwrap_or(here));
            sum.places
                .anchors
                .insert(numbered.id, here.wrapping_add(by));
            let mut new = renumbered(record, [(offset_of!(ModuleRecord, id), numbered.id)]);
            let bias = record.u64(offset_of!(ModuleRecord, bias)).wrapping_add(by);
            put(
                &mut new,
                offset_of!(ModuleRecord, bias),
                &bias.to_le_bytes(),
            );
            sum.append(RecordKind::Module, NO_OWNER, new);
        }
        let there = sum.places.anchors.get(&numbered.id).copied()?;
        let by = there.wrapping_sub(here);
        for range in process.ranges(id) {
            let (start, end) = span(range);
            let (start, end) = (start.wrapping_add(by), end.wrapping_add(by));
            let ranges = &mut sum.places.ranges;
            if ranges.contains(&(start, end)) {
                continue;
            }
            if ranges.len() >= MOST_RANGES {
                sum.count_dropped(DropReason::ModuleTableFull, 1);
                continue;
            }
            ranges.insert((start, end));
            let mut new = renumbered(range, [(offset_of!(RangeRecord, module), numbered.id)]);
            put(
                &mut new,
                offset_of!(RangeRecord, start),
                &start.to_le_bytes(),
            );
            put(&mut new, offset_of!(RangeRecord, end), &end.to_le_bytes());
            sum.append(RecordKind::Range, NO_OWNER, new);
        }
        Some((numbered.id, by))
    }
}

/// Returns a copy of a record with these numbers at these places.
fn renumbered(record: Fields<'_>, numbers: impl IntoIterator<Item = (usize, u32)>) -> Vec<u8> {
    let mut new = record.0.to_vec();
    for (at, number) in numbers {
        put(&mut new, at, &number.to_le_bytes());
    }
    new
}
