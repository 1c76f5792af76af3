//! Counts, contentions, holds, blame and waits by stack.

use core::mem::offset_of;
use std::boxed::Box;

use crate::histogram;
use crate::layout::{
    BlameRecord, ContentionRecord, CountRecord, EntryPoint, HoldRecord, LockKind, StackWaitRecord,
};
use crate::reader::Contention;
use crate::reader::bytes::Fields;

/// What the figures are about, by the numbers in the file. All records here begin with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::reader) struct RawKey {
    pub slot: u32,
    pub lock_address: u64,
    pub site_id: u32,
    pub generation: u32,
    pub kind: LockKind,
    pub entry: EntryPoint,
}

pub(in crate::reader) struct RawCount {
    pub key: RawKey,
    pub birth_id: u32,
    pub acquisitions: u64,
}

pub(in crate::reader) struct RawContention {
    pub key: RawKey,
    pub birth_id: u32,
    pub contention: Box<Contention>,
}

pub(in crate::reader) struct RawHold {
    pub key: RawKey,
    pub birth_id: u32,
    pub timed: u64,
    pub timed_total_ns: u64,
    pub estimated_total_ns: u64,
    pub max_ns: u64,
    pub examined: u64,
    pub blocked: u64,
    pub voluntary_switches: u64,
    pub involuntary_switches: u64,
    pub system_calls: u64,
    pub off_cpu_ns: u64,
    pub gaps: u64,
    pub gap_ns: u64,
    pub hold_histogram: [u64; histogram::BUCKETS],
}

pub(in crate::reader) struct RawBlame {
    pub key: RawKey,
    pub birth_id: u32,
    pub holder_site_id: u32,
    pub waits: u64,
    pub wait_ns: u64,
}

pub(in crate::reader) struct RawStackWait {
    pub key: RawKey,
    pub birth_id: u32,
    pub stack_id: u32,
    pub waits: u64,
    pub wait_ns: u64,
}

/// The layout asserts that all these records begin as a count does.
pub(super) fn key(fields: Fields<'_>, slot: u32) -> Option<RawKey> {
    let lock_address = fields.u64(offset_of!(CountRecord, lock));
    if lock_address == 0 {
        return None;
    }
    Some(RawKey {
        slot,
        lock_address,
        site_id: fields.u32(offset_of!(CountRecord, site)),
        generation: fields.u32(offset_of!(CountRecord, generation)),
        kind: LockKind::from_number(fields.u8(offset_of!(CountRecord, kind)))?,
        entry: EntryPoint::from_number(fields.u8(offset_of!(CountRecord, entry)))?,
    })
}

pub(super) fn birth_id(fields: Fields<'_>) -> u32 {
    fields.u32(offset_of!(CountRecord, birth))
}

pub(super) fn buckets(fields: Fields<'_>, offset: usize) -> [u64; histogram::BUCKETS] {
    std::array::from_fn(|bucket| fields.u64(offset + 8 * bucket))
}

pub(in crate::reader) fn count(fields: Fields<'_>, slot: u32) -> Option<RawCount> {
    Some(RawCount {
        key: key(fields, slot)?,
        birth_id: birth_id(fields),
        acquisitions: fields.u64(offset_of!(CountRecord, acquisitions)),
    })
}

pub(in crate::reader) fn contention(fields: Fields<'_>, slot: u32) -> Option<RawContention> {
    let number = |offset| fields.u64(offset);
    Some(RawContention {
        key: key(fields, slot)?,
        birth_id: birth_id(fields),
        contention: Box::new(Contention {
            contended: number(offset_of!(ContentionRecord, contended)),
            wait_total_ns: number(offset_of!(ContentionRecord, wait_total_ns)),
            wait_max_ns: number(offset_of!(ContentionRecord, wait_max_ns)),
            try_failed: number(offset_of!(ContentionRecord, try_failed)),
            timed_out: number(offset_of!(ContentionRecord, timed_out)),
            runnable_ns: number(offset_of!(ContentionRecord, runnable_ns)),
            relock_ns: number(offset_of!(ContentionRecord, relock_ns)),
            examined: number(offset_of!(ContentionRecord, examined)),
            examined_ns: number(offset_of!(ContentionRecord, examined_ns)),
            examined_cpu_ns: number(offset_of!(ContentionRecord, examined_cpu_ns)),
            voluntary_switches: number(offset_of!(ContentionRecord, voluntary_switches)),
            involuntary_switches: number(offset_of!(ContentionRecord, involuntary_switches)),
            wait_histogram: buckets(fields, offset_of!(ContentionRecord, wait_histogram)),
        }),
    })
}

pub(in crate::reader) fn hold(fields: Fields<'_>, slot: u32) -> Option<RawHold> {
    let number = |offset| fields.u64(offset);
    Some(RawHold {
        key: key(fields, slot)?,
        birth_id: birth_id(fields),
        timed: number(offset_of!(HoldRecord, timed)),
        timed_total_ns: number(offset_of!(HoldRecord, timed_total_ns)),
        estimated_total_ns: number(offset_of!(HoldRecord, estimated_total_ns)),
        max_ns: number(offset_of!(HoldRecord, max_ns)),
        examined: number(offset_of!(HoldRecord, examined)),
        blocked: number(offset_of!(HoldRecord, blocked)),
        voluntary_switches: number(offset_of!(HoldRecord, voluntary_switches)),
        involuntary_switches: number(offset_of!(HoldRecord, involuntary_switches)),
        system_calls: number(offset_of!(HoldRecord, system_calls)),
        off_cpu_ns: number(offset_of!(HoldRecord, off_cpu_ns)),
        gaps: number(offset_of!(HoldRecord, gaps)),
        gap_ns: number(offset_of!(HoldRecord, gap_ns)),
        hold_histogram: buckets(fields, offset_of!(HoldRecord, hold_histogram)),
    })
}

pub(in crate::reader) fn blame(fields: Fields<'_>, slot: u32) -> Option<RawBlame> {
    Some(RawBlame {
        key: key(fields, slot)?,
        birth_id: birth_id(fields),
        holder_site_id: fields.u32(offset_of!(BlameRecord, holder_site)),
        waits: fields.u64(offset_of!(BlameRecord, waits)),
        wait_ns: fields.u64(offset_of!(BlameRecord, wait_ns)),
    })
}

pub(in crate::reader) fn stack_wait(fields: Fields<'_>, slot: u32) -> Option<RawStackWait> {
    Some(RawStackWait {
        key: key(fields, slot)?,
        birth_id: birth_id(fields),
        stack_id: fields.u32(offset_of!(StackWaitRecord, stack)),
        waits: fields.u64(offset_of!(StackWaitRecord, waits)),
        wait_ns: fields.u64(offset_of!(StackWaitRecord, wait_ns)),
    })
}
