//! A part without the unused space that its process had reserved.

use core::mem::offset_of;
use std::vec::Vec;

use super::bytes::Fields;
use super::header;
use super::source::Source;
use crate::layout::{
    Header, PAGE_BYTES, RecordKind, SEGMENT_HEADER_BYTES, SEGMENT_MAGIC, SegmentHeader,
};
use crate::writer::segment_bytes;

/// Parts longer than this stay as they are: their unused space is proportionally small, and they would have to be read as a
/// whole.
const LONGEST_BYTES: u64 = 1 << 20;

/// The mapped files of a part that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modules {
    /// All of them.
    All,
    /// All files if anything was called from one; none for a process that did not use a lock.
    IfCalledFrom,
}

/// Returns the part with its segments as short as their contents; `None` if it is long, cut off, or does not consist of segments
/// alone.
///
/// Thousands of short processes of a shell script leave a part each, which is nearly all unused space.
pub fn compacted<S: Source + ?Sized>(part: &S, modules: Modules) -> Option<Vec<u8>> {
    let read = header::read(part, 0).ok()?;
    if read.part_bytes > LONGEST_BYTES || read.part_bytes > part.length().ok()? {
        return None;
    }
    let (mut bytes, header_bytes) = (
        std::vec![0; usize::try_from(read.part_bytes).ok()?],
        usize::try_from(read.header_bytes).ok()?,
    );
    if part.read_at(&mut bytes, 0).ok()? < bytes.len() {
        return None;
    }
    let segments = segments(&bytes, header_bytes)?;
    let is_called_from = segments
        .iter()
        .any(|it| it.kind == RecordKind::Site.number());
    let names_files = [RecordKind::Module.number(), RecordKind::Range.number()];
    let mut compact = bytes.get(..header_bytes)?.to_vec();
    for segment in &segments {
        let is_needed = modules == Modules::All || is_called_from;
        if !is_needed && names_files.contains(&segment.kind) {
            continue;
        }
        let begin = compact.len();
        let length = segment_bytes(segment.count, segment.record_bytes);
        compact.extend_from_slice(bytes.get(segment.at..)?.get(..length as usize)?);
        put(
            &mut compact,
            begin + offset_of!(SegmentHeader, capacity),
            &segment.count.to_le_bytes(),
        )?;
        put(
            &mut compact,
            begin + offset_of!(SegmentHeader, bytes),
            &length.to_le_bytes(),
        )?;
    }
    let end = compact.len() as u64;
    put(&mut compact, offset_of!(Header, end), &end.to_le_bytes())?;
    Some(compact)
}

fn put(bytes: &mut [u8], at: usize, field: &[u8]) -> Option<()> {
    bytes
        .get_mut(at..)?
        .get_mut(..field.len())?
        .copy_from_slice(field);
    Some(())
}

/// A segment that has records.
struct Used {
    at: usize,
    kind: u16,
    record_bytes: u32,
    count: u32,
}

/// Returns how many records of a segment are in use: all of them in a ring that has begun again.
fn used_records(fields: Fields<'_>) -> u32 {
    let is_ring = fields.u16(offset_of!(SegmentHeader, kind)) == RecordKind::Event.number();
    let field = match is_ring && fields.u64(offset_of!(SegmentHeader, ring) + 8) != 0 {
        true => offset_of!(SegmentHeader, capacity),
        false => offset_of!(SegmentHeader, count),
    };
    fields.u32(field)
}

/// Returns the segments that have records; `None` if something else is among them.
fn segments(bytes: &[u8], first: usize) -> Option<Vec<Used>> {
    let mut used = Vec::new();
    let mut at = first;
    while at < bytes.len() {
        let head = bytes.get(at..)?.get(..SEGMENT_HEADER_BYTES as usize)?;
        if head.iter().all(|&byte| byte == 0) {
            at += PAGE_BYTES as usize;
            continue;
        }
        let fields = Fields(head);
        let segment = Used {
            at,
            kind: fields.u16(offset_of!(SegmentHeader, kind)),
            record_bytes: fields.u32(offset_of!(SegmentHeader, record_bytes)),
            count: used_records(fields),
        };
        let length = fields.u64(offset_of!(SegmentHeader, bytes));
        let needed = SEGMENT_HEADER_BYTES
            + u64::from(segment.count).checked_mul(u64::from(segment.record_bytes))?;
        let is_sound = fields.u32(offset_of!(SegmentHeader, magic)) == SEGMENT_MAGIC
            && segment.record_bytes > 0
            && length.is_multiple_of(PAGE_BYTES)
            && (needed..=(bytes.len() - at) as u64).contains(&length);
        if !is_sound {
            return None;
        }
        if segment.count > 0 {
            used.push(segment);
        }
        at += length as usize;
    }
    Some(used)
}
