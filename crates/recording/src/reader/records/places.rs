//! Modules, ranges, sites, stacks and births.

use core::mem::offset_of;
use std::path::PathBuf;
use std::vec::Vec;

use crate::layout::{
    BirthBy, BirthRecord, LockKind, ModuleRecord, RangeRecord, STACK_FRAMES, SiteRecord,
    StackRecord, range_flags,
};
use crate::reader::bytes::Fields;
use crate::reader::index::Index;
use crate::reader::system::text;
use crate::reader::{Birth, Inherited, Module, Range, Site, Stack};

/// Reads a site and its id.
pub(in crate::reader) fn site(fields: Fields<'_>, index: &Index) -> Option<(u32, Site)> {
    let id = fields.u32(offset_of!(SiteRecord, id));
    let site = Site {
        id,
        address: fields.u64(offset_of!(SiteRecord, address)),
        module: index
            .modules
            .find(fields.u32(offset_of!(SiteRecord, module))),
        file_offset: fields.u64(offset_of!(SiteRecord, file_offset)),
    };
    (id != 0).then_some((id, site))
}

/// Reads a stack and its id.
pub(in crate::reader) fn stack(fields: Fields<'_>, index: &Index) -> Option<(u32, Stack)> {
    let id = fields.u32(offset_of!(StackRecord, id));
    let frames = fields.u32(offset_of!(StackRecord, frames)) as usize;
    if id == 0 || frames > STACK_FRAMES {
        return None;
    }
    let site = |frame| {
        let id = fields.u32(offset_of!(StackRecord, sites) + 4 * frame);
        index.sites.find(id)
    };
    let stack = Stack {
        id,
        sites: (0..frames).map(site).collect(),
        truncated: fields.u32(offset_of!(StackRecord, truncated)) != 0,
    };
    Some((id, stack))
}

/// Reads the origin of locks that a forked process inherited.
fn inherited(fields: Fields<'_>) -> Option<Inherited> {
    let pid = fields.u32(offset_of!(BirthRecord, ancestor_pid));
    (pid != 0).then(|| Inherited {
        pid,
        sequence: fields.u32(offset_of!(BirthRecord, ancestor_sequence)),
        birth: fields.u32(offset_of!(BirthRecord, ancestor_birth)),
    })
}

/// Reads a birth and its id.
pub(in crate::reader) fn birth(fields: Fields<'_>, index: &Index) -> Option<(u32, Birth)> {
    let id = fields.u32(offset_of!(BirthRecord, id));
    let birth = Birth {
        by: BirthBy::from_number(fields.u8(offset_of!(BirthRecord, by))),
        kind: LockKind::from_number(fields.u8(offset_of!(BirthRecord, kind))),
        stack: index
            .stacks
            .find(fields.u32(offset_of!(BirthRecord, stack))),
        site: index.sites.find(fields.u32(offset_of!(BirthRecord, site))),
        locks: fields.u64(offset_of!(BirthRecord, locks)),
        id,
        inherited: inherited(fields),
    };
    (id != 0).then_some((id, birth))
}

/// Reads a module and its id.
pub(in crate::reader) fn module(fields: Fields<'_>) -> Option<(u32, Module)> {
    let id = fields.u32(offset_of!(ModuleRecord, id));
    let path_bytes = fields.u32(offset_of!(ModuleRecord, path_bytes)) as usize;
    let path = fields.bytes(size_of::<ModuleRecord>(), path_bytes);
    if id == 0 || path.is_empty() {
        return None;
    }
    let build_id_bytes = fields.u8(offset_of!(ModuleRecord, build_id_bytes)).min(32);
    let build_id = fields.bytes(
        offset_of!(ModuleRecord, build_id),
        usize::from(build_id_bytes),
    );
    let bias_known = fields.u8(offset_of!(ModuleRecord, bias_known)) == 1;
    Some((
        id,
        Module {
            id,
            path: PathBuf::from(text(path)),
            bias: bias_known.then(|| fields.u64(offset_of!(ModuleRecord, bias))),
            build_id: build_id.to_vec(),
            first_seen_ns: fields.u64(offset_of!(ModuleRecord, first_seen_ns)),
            ranges: Vec::new(),
        },
    ))
}

/// Reads a range and the id of its module.
pub(in crate::reader) fn range(fields: Fields<'_>) -> Option<(u32, Range)> {
    let module_id = fields.u32(offset_of!(RangeRecord, module));
    let start = fields.u64(offset_of!(RangeRecord, start));
    let end = fields.u64(offset_of!(RangeRecord, end));
    let flags = fields.u32(offset_of!(RangeRecord, flags));
    if module_id == 0 || start >= end {
        return None;
    }
    let anonymous = flags & range_flags::ANONYMOUS != 0;
    Some((
        module_id,
        Range {
            start,
            end,
            file_offset: (!anonymous).then(|| fields.u64(offset_of!(RangeRecord, file_offset))),
            executable: flags & range_flags::EXECUTABLE != 0,
            writable: flags & range_flags::WRITABLE != 0,
        },
    ))
}
