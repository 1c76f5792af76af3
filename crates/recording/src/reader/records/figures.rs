//! Counts, contentions, holds, blame and waits by stack.

use core::mem::offset_of;
use std::boxed::Box;
use std::vec::Vec;

use crate::histogram;
use crate::layout::{
    BlameRecord, CALL_COUNT_BITS, CALLS_KEPT, ContentionRecord, CountRecord, EntryPoint,
    HoldRecord, LockKind, StackWaitRecord,
};
use crate::reader::bytes::Fields;
use crate::reader::index::Index;
use crate::reader::{Blame, CallsInHolds, Contention, Count, Hold, Key, StackWait};

/// The common key of counts and waits, by the numbers in the file, whether or not those numbers lead anywhere. In the order in
/// which waits without a count are returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in crate::reader) struct CountId {
    slot: u32,
    lock_address: u64,
    generation: u32,
    site_id: u32,
    /// Processes that are added up may have a lock in a variable from different places.
    birth_id: u32,
    entry: EntryPoint,
    kind: LockKind,
}

/// Reads a key. The layout asserts that all records with a key begin like a count.
pub(super) fn key(fields: Fields<'_>, slot: u32, index: &Index) -> Option<Key> {
    let lock_address = fields.u64(offset_of!(CountRecord, lock));
    if lock_address == 0 {
        return None;
    }
    Some(Key {
        lock_address,
        generation: fields.u32(offset_of!(CountRecord, generation)),
        kind: LockKind::from_number(fields.u8(offset_of!(CountRecord, kind)))?,
        entry: EntryPoint::from_number(fields.u8(offset_of!(CountRecord, entry)))?,
        site: index.sites.find(site_id(fields)),
        thread_slot: slot,
        birth: index
            .births
            .find(fields.u32(offset_of!(CountRecord, birth))),
    })
}

fn site_id(fields: Fields<'_>) -> u32 {
    fields.u32(offset_of!(CountRecord, site))
}

fn with_id(fields: Fields<'_>, key: Key, count: Count) -> (CountId, Count) {
    let id = CountId {
        slot: key.thread_slot,
        lock_address: key.lock_address,
        generation: key.generation,
        site_id: site_id(fields),
        birth_id: fields.u32(offset_of!(CountRecord, birth)),
        entry: key.entry,
        kind: key.kind,
    };
    (id, count)
}

/// Returns a count without acquisitions and waits.
fn nothing_of(key: Key) -> Count {
    Count {
        lock_address: key.lock_address,
        generation: key.generation,
        kind: key.kind,
        entry: key.entry,
        site: key.site,
        thread_slot: key.thread_slot,
        birth: key.birth,
        acquisitions: 0,
        contention: None,
    }
}

pub(super) fn buckets(fields: Fields<'_>, offset: usize) -> [u64; histogram::BUCKETS] {
    std::array::from_fn(|bucket| fields.u64(offset + 8 * bucket))
}

/// Reads a count, whose waits are in another record.
pub(in crate::reader) fn count(
    fields: Fields<'_>,
    slot: u32,
    index: &Index,
) -> Option<(CountId, Count)> {
    let key = key(fields, slot, index)?;
    let count = Count {
        acquisitions: fields.u64(offset_of!(CountRecord, acquisitions)),
        ..nothing_of(key)
    };
    Some(with_id(fields, key, count))
}

/// Reads the waits of a count, whose acquisitions are in another record.
pub(in crate::reader) fn contention(
    fields: Fields<'_>,
    slot: u32,
    index: &Index,
) -> Option<(CountId, Count)> {
    let number = |offset| fields.u64(offset);
    let key = key(fields, slot, index)?;
    let contention = Contention {
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
    };
    let count = Count {
        contention: Some(Box::new(contention)),
        ..nothing_of(key)
    };
    Some(with_id(fields, key, count))
}

pub(in crate::reader) fn hold(fields: Fields<'_>, slot: u32, index: &Index) -> Option<Hold> {
    let number = |offset| fields.u64(offset);
    Some(Hold {
        key: key(fields, slot, index)?,
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
        calls: calls(fields),
    })
}

/// Reads the functions that were called in holds.
fn calls(fields: Fields<'_>) -> Vec<CallsInHolds> {
    let word = |offset, place| fields.u64(offset + 8 * place);
    let of = |place| {
        let call = word(offset_of!(HoldRecord, calls), place);
        CallsInHolds {
            number: (call >> CALL_COUNT_BITS) as u8,
            count: call & ((1 << CALL_COUNT_BITS) - 1),
            total_ns: word(offset_of!(HoldRecord, call_ns), place),
        }
    };
    (0..CALLS_KEPT).map(of).filter(|it| it.count > 0).collect()
}

pub(in crate::reader) fn blame(fields: Fields<'_>, slot: u32, index: &Index) -> Option<Blame> {
    Some(Blame {
        key: key(fields, slot, index)?,
        holder_site: index
            .sites
            .find(fields.u32(offset_of!(BlameRecord, holder_site))),
        holder_stack: index
            .stacks
            .find(fields.u32(offset_of!(BlameRecord, holder_stack))),
        waits: fields.u64(offset_of!(BlameRecord, waits)),
        wait_ns: fields.u64(offset_of!(BlameRecord, wait_ns)),
    })
}

pub(in crate::reader) fn stack_wait(
    fields: Fields<'_>,
    slot: u32,
    index: &Index,
) -> Option<StackWait> {
    Some(StackWait {
        key: key(fields, slot, index)?,
        stack: index
            .stacks
            .find(fields.u32(offset_of!(StackWaitRecord, stack))),
        waits: fields.u64(offset_of!(StackWaitRecord, waits)),
        wait_ns: fields.u64(offset_of!(StackWaitRecord, wait_ns)),
    })
}
