//! Reads the records of a segment, a buffer at a time, and takes each apart.

use core::mem::offset_of;
use std::boxed::Box;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::string::String;

use super::bytes::Fields;
use super::segments::Segment;
use super::source::Source;
use super::{Contention, Module, Range, Thread};
use crate::histogram;
use crate::layout::{
    ContentionRecord, CountRecord, EntryPoint, LockKind, ModuleRecord, RangeRecord, SiteRecord,
    THREAD_NAME_BYTES, ThreadRecord, range_flags,
};

/// How much is read at a time. A record longer than this is read only so far: none of this version is, and a
/// longer one keeps what we know in its first bytes.
const BUFFER_BYTES: usize = 64 << 10;

/// The first fields of both counts and contentions, which say what they are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub slot: u32,
    pub lock_address: u64,
    pub site_id: u32,
    pub generation: u32,
    pub kind: LockKind,
    pub entry: EntryPoint,
}

pub(super) struct RawCount {
    pub key: Key,
    pub acquisitions: u64,
    pub birth_id: u32,
}

pub(super) struct RawContention {
    pub key: Key,
    pub birth_id: u32,
    pub contention: Box<Contention>,
}

pub(super) struct RawSite {
    pub id: u32,
    pub address: u64,
    pub file_offset: u64,
    pub module_id: u32,
}

pub(super) struct RawThread {
    pub thread: Thread,
    pub waiting_since_ns: u64,
    pub waiting_lock: u64,
    pub waiting_site_id: u32,
}

/// Calls `visit` with each record of `segment`; it says whether the record made sense. Returns how many did not.
///
/// Stops at the first record that is nothing but zeros: a published record never is, and a sparse file could
/// otherwise hold more of them than memory does.
pub(super) fn for_each<S: Source + ?Sized>(
    source: &S,
    segment: &Segment,
    mut visit: impl FnMut(Fields<'_>) -> bool,
) -> io::Result<u64> {
    let stride = segment.record_bytes;
    // A record that is longer than the buffer is taken one at a time, by its beginning.
    let per_read = (BUFFER_BYTES as u64 / stride).max(1);
    let mut buffer = std::vec![0; BUFFER_BYTES];
    let mut bad = 0;
    let mut next = 0;
    while next < segment.records {
        let records = per_read.min(segment.records - next);
        let wanted = (records * stride).min(BUFFER_BYTES as u64) as usize;
        let offset = segment.first_record + next * stride;
        let read = source.read_at(&mut buffer[..wanted], offset)?;
        let chunk = stride.min(BUFFER_BYTES as u64) as usize;
        for (index, record) in (next..).zip(buffer[..read].chunks(chunk)) {
            if record.iter().all(|&byte| byte == 0) {
                return Ok(bad + (segment.records - index));
            }
            bad += u64::from(!visit(Fields(record)));
        }
        if read < wanted {
            break;
        }
        next += records;
    }
    Ok(bad)
}

fn key(fields: Fields<'_>, slot: u32) -> Option<Key> {
    let lock_address = fields.u64(offset_of!(CountRecord, lock));
    if lock_address == 0 {
        return None;
    }
    Some(Key {
        slot,
        lock_address,
        site_id: fields.u32(offset_of!(CountRecord, site)),
        generation: fields.u32(offset_of!(CountRecord, generation)),
        kind: LockKind::from_number(fields.u8(offset_of!(CountRecord, kind)))?,
        entry: EntryPoint::from_number(fields.u8(offset_of!(CountRecord, entry)))?,
    })
}

pub(super) fn count(fields: Fields<'_>, slot: u32) -> Option<RawCount> {
    Some(RawCount {
        key: key(fields, slot)?,
        acquisitions: fields.u64(offset_of!(CountRecord, acquisitions)),
        birth_id: fields.u32(offset_of!(CountRecord, birth)),
    })
}

pub(super) fn contention(fields: Fields<'_>, slot: u32) -> Option<RawContention> {
    let key = key(fields, slot)?;
    let mut wait_histogram = [0; histogram::BUCKETS];
    for (bucket, waits) in wait_histogram.iter_mut().enumerate() {
        *waits = fields.u64(offset_of!(ContentionRecord, wait_histogram) + 8 * bucket);
    }
    Some(RawContention {
        key,
        birth_id: fields.u32(offset_of!(ContentionRecord, birth)),
        contention: Box::new(Contention {
            contended: fields.u64(offset_of!(ContentionRecord, contended)),
            wait_total_ns: fields.u64(offset_of!(ContentionRecord, wait_total_ns)),
            wait_max_ns: fields.u64(offset_of!(ContentionRecord, wait_max_ns)),
            try_failed: fields.u64(offset_of!(ContentionRecord, try_failed)),
            timed_out: fields.u64(offset_of!(ContentionRecord, timed_out)),
            wait_histogram,
        }),
    })
}

pub(super) fn site(fields: Fields<'_>) -> Option<RawSite> {
    let id = fields.u32(offset_of!(SiteRecord, id));
    (id != 0).then(|| RawSite {
        id,
        address: fields.u64(offset_of!(SiteRecord, address)),
        file_offset: fields.u64(offset_of!(SiteRecord, file_offset)),
        module_id: fields.u32(offset_of!(SiteRecord, module)),
    })
}

pub(super) fn thread(fields: Fields<'_>) -> Option<RawThread> {
    let tid = fields.u32(offset_of!(ThreadRecord, tid));
    let end_ns = fields.u64(offset_of!(ThreadRecord, end_ns));
    (tid != 0).then(|| RawThread {
        thread: Thread {
            tid,
            slot: fields.u32(offset_of!(ThreadRecord, slot)),
            name: name(fields.bytes(offset_of!(ThreadRecord, name), THREAD_NAME_BYTES)),
            start_ns: fields.u64(offset_of!(ThreadRecord, start_ns)),
            end_ns: (end_ns != 0).then_some(end_ns),
            waiting: None,
        },
        waiting_since_ns: fields.u64(offset_of!(ThreadRecord, waiting_since_ns)),
        waiting_lock: fields.u64(offset_of!(ThreadRecord, waiting_lock)),
        waiting_site_id: fields.u32(offset_of!(ThreadRecord, waiting_site)),
    })
}

fn name(bytes: &[u8]) -> String {
    let length = bytes
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}

/// A module and its id.
pub(super) fn module(fields: Fields<'_>) -> Option<(u32, Module)> {
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
            path: PathBuf::from(OsStr::from_bytes(path)),
            bias: bias_known.then(|| fields.u64(offset_of!(ModuleRecord, bias))),
            build_id: build_id.to_vec(),
            first_seen_ns: fields.u64(offset_of!(ModuleRecord, first_seen_ns)),
            ranges: std::vec::Vec::new(),
        },
    ))
}

/// A range and the id of the module it belongs to.
pub(super) fn range(fields: Fields<'_>) -> Option<(u32, Range)> {
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
