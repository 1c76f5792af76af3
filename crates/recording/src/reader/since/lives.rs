//! The lifetimes of the threads of a part.

use core::mem::offset_of;

use super::raw::RawPart;
use crate::layout::{Header, RecordKind, ThreadRecord};
use crate::reader::bytes::Fields;

/// Returns when the process of a part ended, or became another program at `next_ns`. A process that was killed did not note its end: then
/// it is the last time that its records are known to reach to.
pub fn ended_ns(part: &RawPart, next_ns: Option<u64>) -> u64 {
    let header = Fields(&part.header);
    let end_ns = header.u64(offset_of!(Header, end_monotonic_ns));
    if end_ns != 0 {
        return end_ns;
    }
    let start_ns = header.u64(offset_of!(Header, start_monotonic_ns));
    let seen = threads(part).map(last_seen_ns).max();
    next_ns.unwrap_or_else(|| seen.unwrap_or(0).max(start_ns))
}

/// Returns the number of lives in a part, and how long they lasted together. Those that had not ended by then lasted until `ended_ns`.
pub fn of(part: &RawPart, ended_ns: u64) -> (u64, u64) {
    let lives = threads(part).map(|thread| lived_ns(thread, ended_ns));
    lives.fold((0, 0), |(number, sum), ns| {
        (number + 1, sum.saturating_add(ns))
    })
}

/// Returns how long one life lasted, if it lasted no longer than until `ended_ns`.
pub fn lived_ns(thread: Fields<'_>, ended_ns: u64) -> u64 {
    let end_ns = match thread.u64(offset_of!(ThreadRecord, end_ns)) {
        0 => ended_ns,
        end_ns => end_ns,
    };
    end_ns.saturating_sub(thread.u64(offset_of!(ThreadRecord, start_ns)))
}

/// Returns the last time at which a thread is known to have lived: all its waits that have ended lie in its life.
fn last_seen_ns(thread: Fields<'_>) -> u64 {
    let waited_ns = [
        offset_of!(ThreadRecord, lock_wait_ns),
        offset_of!(ThreadRecord, signal_wait_ns),
    ];
    let start_ns = thread.u64(offset_of!(ThreadRecord, start_ns));
    let waits = waited_ns.map(|at| thread.u64(at)).into_iter();
    let waited_until_ns = waits.fold(start_ns, u64::saturating_add);
    waited_until_ns
        .max(thread.u64(offset_of!(ThreadRecord, end_ns)))
        .max(thread.u64(offset_of!(ThreadRecord, waiting_since_ns)))
}

fn threads(part: &RawPart) -> impl Iterator<Item = Fields<'_>> {
    let groups = part.groups.iter();
    let groups = groups.filter(|it| it.kind == RecordKind::Thread);
    groups.flat_map(|group| group.records().map(Fields))
}
