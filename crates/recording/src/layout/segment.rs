//! The header before the records of a segment.

use core::mem::offset_of;
use core::sync::atomic::{AtomicU16, AtomicU32, AtomicU64};

/// The first four bytes of a segment, `LTSG`, stored last when the segment's header is written.
///
/// A writer that dies between reserving a segment and writing its header leaves zeros. A reader skips them page by page up to the
/// next segment.
pub const SEGMENT_MAGIC: u32 = u32::from_le_bytes(*b"LTSG");

/// The length of [`SegmentHeader`]: where the first record begins, counted from the segment's start.
pub const SEGMENT_HEADER_BYTES: u64 = 64;

/// [`SegmentHeader::owner`] of a segment that belongs to the process, not to one thread slot.
pub const NO_OWNER: u32 = u32::MAX;

/// The header of a segment.
#[repr(C)]
pub struct SegmentHeader {
    /// [`SEGMENT_MAGIC`].
    pub magic: AtomicU32,
    /// [`RecordKind`](super::RecordKind) of every record in the segment.
    pub kind: AtomicU16,
    /// Zero.
    pub reserved_half: AtomicU16,
    /// The thread slot that writes the records, or [`NO_OWNER`].
    pub owner: AtomicU32,
    /// The length of one record in bytes.
    pub record_bytes: AtomicU32,
    /// How many records fit.
    pub capacity: AtomicU32,
    /// How many records are valid. Stored with release ordering after the record itself.
    pub count: AtomicU32,
    /// The length of the whole segment in bytes, header included: a multiple of
    /// [`PAGE_BYTES`](super::PAGE_BYTES).
    pub bytes: AtomicU64,
    /// Of a segment of events, a ring: which events it has. Otherwise zero. Since minor version 6.
    pub ring: Ring,
    /// Zero. Room for later minor versions.
    pub reserved: [AtomicU64; 2],
}

/// Which events a segment of [`EventRecord`](super::EventRecord)s has. Events of a thread slot are numbered from zero.
///
/// The first `count` records are of the present round, and follow each other from `first` on. If `before` is not zero, the rest
/// of the records are of the round before: record `n` is event `before` - 1 + `n`.
#[repr(C)]
pub struct Ring {
    /// The number of the event in the first record.
    pub first: AtomicU64,
    /// One more than the number of the event that was in the first record in the round before, or zero if there was none.
    pub before: AtomicU64,
}

const _: () = {
    assert!(size_of::<SegmentHeader>() == SEGMENT_HEADER_BYTES as usize);
    assert!(offset_of!(SegmentHeader, owner) == 8);
    assert!(offset_of!(SegmentHeader, count) == 20);
    assert!(offset_of!(SegmentHeader, bytes) == 24);
    assert!(offset_of!(SegmentHeader, ring) == 32 && size_of::<Ring>() == 16);
};
