//! Walks the segments of a part.

use core::mem::offset_of;
use std::io;

use super::bytes::Fields;
use super::source::Source;
use super::{Problem, Warning};
use crate::layout::{PAGE_BYTES, RecordKind, SEGMENT_HEADER_BYTES, SEGMENT_MAGIC, SegmentHeader};

/// How many pages of zeros there may be where a segment was reserved but never begun. Each thread that is killed at that point
/// leaves one gap; the limit prevents a walk through a sparse file from going on forever.
const GAP_PAGES: u64 = 1 << 16;

/// A segment of a kind that this version knows, with its lengths checked against the part and the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    pub kind: RecordKind,
    pub owner: u32,
    pub record_bytes: u64,
    /// How many records can be read: those that the writer published and the file still contains.
    pub records: u64,
    /// The position of the first record in the source.
    pub first_record: u64,
    /// How many records the segment has room for, as far as the file contains them.
    pub there: u64,
    /// Of a segment of events: [`Ring::first`](crate::layout::Ring::first) and `before`.
    pub ring: (u64, u64),
    /// How many of its bytes lie beyond the end of the part, which was cut off there.
    pub missing_bytes: u64,
}

/// The segments of a part, and the faults found on the way.
pub(super) struct Segments<'s, S: ?Sized> {
    source: &'s S,
    position: u64,
    /// The position of the part's end in the source.
    end: u64,
    /// The position of the source's end.
    available: u64,
    gap_pages: u64,
}

/// One step of the walk.
pub(super) enum Step {
    Segment(Segment),
    /// A segment of an unknown kind, or pages that were never begun.
    Passed,
    Warning(Warning),
    End,
}

impl<'s, S: Source + ?Sized> Segments<'s, S> {
    pub fn new(source: &'s S, first: u64, end: u64, available: u64) -> Self {
        Self {
            source,
            position: first,
            end,
            available,
            gap_pages: 0,
        }
    }

    /// Advances by one segment or one empty page. It moves forward on every call, so the walk ends.
    pub fn step(&mut self) -> io::Result<Step> {
        let offset = self.position;
        if offset >= self.end.min(self.available) {
            return Ok(Step::End);
        }
        let mut bytes = [0; SEGMENT_HEADER_BYTES as usize];
        let read = self.source.read_at(&mut bytes, offset)?;
        if read < bytes.len() {
            return Ok(self.stop());
        }
        if bytes.iter().all(|&byte| byte == 0) {
            return Ok(self.pass_page());
        }
        let fields = Fields(&bytes);
        Ok(match self.check(offset, fields) {
            Ok(step) => step,
            Err(what) => {
                self.stop();
                Step::Warning(Warning {
                    offset,
                    problem: Problem::Corrupt { what },
                })
            }
        })
    }

    fn stop(&mut self) -> Step {
        self.position = self.end;
        Step::End
    }

    fn pass_page(&mut self) -> Step {
        self.gap_pages += 1;
        if self.gap_pages > GAP_PAGES {
            let offset = self.position;
            self.stop();
            return Step::Warning(Warning {
                offset,
                problem: Problem::Corrupt {
                    what: "no segment follows for very long",
                },
            });
        }
        self.position += PAGE_BYTES;
        Step::Passed
    }

    fn check(&mut self, offset: u64, fields: Fields<'_>) -> Result<Step, &'static str> {
        if fields.u32(offset_of!(SegmentHeader, magic)) != SEGMENT_MAGIC {
            return Err("a segment does not begin as one");
        }
        let length = fields.u64(offset_of!(SegmentHeader, bytes));
        let record_bytes = u64::from(fields.u32(offset_of!(SegmentHeader, record_bytes)));
        let capacity = u64::from(fields.u32(offset_of!(SegmentHeader, capacity)));
        let count = u64::from(fields.u32(offset_of!(SegmentHeader, count)));
        if length == 0 || !length.is_multiple_of(PAGE_BYTES) {
            return Err("a segment gives an impossible length");
        }
        // Both factors come from 32-bit fields, so the product cannot overflow.
        if record_bytes == 0 || capacity * record_bytes > length - SEGMENT_HEADER_BYTES {
            return Err("the records of a segment do not fit into it");
        }
        if count > capacity {
            return Err("a segment claims more records than it has room for");
        }
        let left = self.end - offset;
        self.position = offset + length.min(left);
        let Some(kind) = RecordKind::from_number(fields.u16(offset_of!(SegmentHeader, kind)))
        else {
            return Ok(Step::Passed);
        };
        let first_record = offset + SEGMENT_HEADER_BYTES;
        let readable = self.position.min(self.available);
        let ring = offset_of!(SegmentHeader, ring);
        let there = readable.saturating_sub(first_record) / record_bytes;
        Ok(Step::Segment(Segment {
            kind,
            owner: fields.u32(offset_of!(SegmentHeader, owner)),
            record_bytes,
            records: count.min(there),
            there: capacity.min(there),
            ring: (fields.u64(ring), fields.u64(ring + 8)),
            first_record,
            missing_bytes: length.saturating_sub(left),
        }))
    }
}
