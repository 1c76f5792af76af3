//! The places of a sum, each once, with the numbers by which its records know them.

use core::hash::Hash;
use core::mem::offset_of;
use std::collections::{HashMap, HashSet};
use std::vec::Vec;

use super::process::records_of;
use crate::layout::{
    BirthRecord, ModuleRecord, RangeRecord, RecordKind, STACK_FRAMES, SiteRecord, StackRecord,
};
use crate::reader::RawPart;
use crate::reader::bytes::Fields;

/// The numbers of things that are the same in several processes.
pub struct Numbers<K> {
    ids: HashMap<K, u32>,
    /// How many there may be, so that a sum is bounded whatever programs do.
    most: usize,
}

/// A number, and whether it is new.
pub struct Numbered {
    pub id: u32,
    pub is_new: bool,
}

impl<K: Eq + Hash> Numbers<K> {
    fn new(most: usize) -> Self {
        Self {
            ids: HashMap::new(),
            most,
        }
    }

    /// Returns the number of a place. A new place gets the next number; `None` if there is no room for it.
    pub fn of(&mut self, key: K) -> Option<Numbered> {
        let is_full = self.ids.len() >= self.most && !self.ids.contains_key(&key);
        if is_full { None } else { self.of_rest(key) }
    }

    /// Returns the number of a place, even if there is no room for more. Only two sorts of places may ask for that: those that a sum
    /// already has, and the few that stand for all places without room.
    pub fn of_rest(&mut self, key: K) -> Option<Numbered> {
        if let Some(&id) = self.ids.get(&key) {
            return Some(Numbered { id, is_new: false });
        }
        let id = u32::try_from(self.ids.len() + 1).ok()?;
        self.ids.insert(key, id);
        Some(Numbered { id, is_new: true })
    }
}

/// A mapped file: its path, its build id, and whether its bias is known.
pub type ModuleKey = (Vec<u8>, Vec<u8>, bool);

/// A birth: stack, site, how, and kind.
pub type BirthKey = (u32, u32, u8, u8);

/// The places of a sum.
pub struct Places {
    pub modules: Numbers<ModuleKey>,
    /// Where each module lies: see [`anchor`].
    pub anchors: HashMap<u32, u64>,
    pub ranges: HashSet<(u64, u64)>,
    /// Module and offset in its file; one for all code that is in no file.
    pub sites: Numbers<(u32, u64)>,
    /// Sites, and whether there were more.
    pub stacks: Numbers<(Vec<u32>, bool)>,
    pub births: Numbers<BirthKey>,
}

/// The greatest number of ranges.
pub const MOST_RANGES: usize = 1 << 14;

impl Places {
    /// Returns the places of a sum.
    pub fn of(part: &RawPart) -> Self {
        let mut places = Self {
            modules: Numbers::new(1 << 12),
            anchors: HashMap::new(),
            ranges: HashSet::new(),
            sites: Numbers::new(1 << 16),
            stacks: Numbers::new(1 << 14),
            births: Numbers::new(1 << 14),
        };
        // In the order of their numbers, so that they get the same ones.
        for module in records_of(part, RecordKind::Module) {
            places.modules.of(module_key(module));
            let id = module.u32(offset_of!(ModuleRecord, id));
            let ranges = records_of(part, RecordKind::Range);
            let own = ranges.filter(|it| it.u32(offset_of!(RangeRecord, module)) == id);
            places.anchors.insert(id, anchor(module, own));
        }
        places.ranges = records_of(part, RecordKind::Range).map(span).collect();
        for site in records_of(part, RecordKind::Site) {
            let module = site.u32(offset_of!(SiteRecord, module));
            places.sites.of(site_key(site, module));
        }
        for stack in records_of(part, RecordKind::Stack) {
            places.stacks.of((sites_of(stack), is_truncated(stack)));
        }
        for birth in records_of(part, RecordKind::Birth) {
            let word = |at| birth.u32(at);
            let (stack, site) = (
                word(offset_of!(BirthRecord, stack)),
                word(offset_of!(BirthRecord, site)),
            );
            places.births.of_rest(birth_key(birth, stack, site));
        }
        places
    }
}

/// Returns what distinguishes a mapped file from others.
pub fn module_key(module: Fields<'_>) -> ModuleKey {
    let length = |bytes: u32| usize::try_from(bytes).unwrap_or(0);
    let path_bytes = length(module.u32(offset_of!(ModuleRecord, path_bytes)));
    let id_bytes = usize::from(module.u8(offset_of!(ModuleRecord, build_id_bytes)).min(32));
    (
        module.bytes(size_of::<ModuleRecord>(), path_bytes).to_vec(),
        module
            .bytes(offset_of!(ModuleRecord, build_id), id_bytes)
            .to_vec(),
        module.u8(offset_of!(ModuleRecord, bias_known)) == 1,
    )
}

/// Returns an address of a module that is at the same place of the file in every process: its bias or, if that is not known, where its
/// first range begins.
pub fn anchor<'r>(module: Fields<'_>, ranges: impl Iterator<Item = Fields<'r>>) -> u64 {
    match module.u8(offset_of!(ModuleRecord, bias_known)) == 1 {
        true => module.u64(offset_of!(ModuleRecord, bias)),
        false => ranges.map(|it| span(it).0).min().unwrap_or(0),
    }
}

/// Returns the addresses of a range.
pub fn span(range: Fields<'_>) -> (u64, u64) {
    (
        range.u64(offset_of!(RangeRecord, start)),
        range.u64(offset_of!(RangeRecord, end)),
    )
}

/// Returns what distinguishes a call site in `module`.
pub fn site_key(site: Fields<'_>, module: u32) -> (u32, u64) {
    match module {
        0 => (0, 0),
        _ => (module, site.u64(offset_of!(SiteRecord, file_offset))),
    }
}

/// Returns the sites of a stack.
pub fn sites_of(stack: Fields<'_>) -> Vec<u32> {
    let frames = stack.u32(offset_of!(StackRecord, frames)) as usize;
    let site = |frame| stack.u32(offset_of!(StackRecord, sites) + 4 * frame);
    (0..frames.min(STACK_FRAMES)).map(site).collect()
}

/// Whether there were more calls than a stack keeps.
pub fn is_truncated(stack: Fields<'_>) -> bool {
    stack.u32(offset_of!(StackRecord, truncated)) != 0
}

/// Returns what distinguishes a birth at this stack and site.
pub fn birth_key(birth: Fields<'_>, stack: u32, site: u32) -> BirthKey {
    let (by, kind) = (offset_of!(BirthRecord, by), offset_of!(BirthRecord, kind));
    (stack, site, birth.u8(by), birth.u8(kind))
}
