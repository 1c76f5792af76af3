//! The header of a part since an earlier look.

use core::mem::offset_of;
use std::collections::HashSet;

use super::difference::{Interval, with_ids};
use super::key::Id;
use super::lives;
use super::raw::{RawPart, put};
use crate::layout::{DROPPED_COUNTERS, Header, RecordKind};
use crate::reader::bytes::Fields;

/// Makes the header of the interval.
pub fn of_interval(page: &mut [u8], then: Option<&RawPart>, interval: Interval) {
    let number = |page: &[u8], at| Fields(page).u64(at);
    end(page, interval);
    // Events by time are left out.
    put(page, offset_of!(Header, keeps), &[0; 16]);
    let Some(then) = then else {
        return;
    };
    if let Some((monotonic_ns, realtime_ns)) = interval.began_ns {
        put(
            page,
            offset_of!(Header, start_monotonic_ns),
            &monotonic_ns.to_le_bytes(),
        );
        put(
            page,
            offset_of!(Header, start_realtime_ns),
            &realtime_ns.to_le_bytes(),
        );
        let ended = offset_of!(Header, end_monotonic_ns);
        let ended_ns = number(page, ended);
        if ended_ns != 0 {
            put(page, ended, &ended_ns.max(monotonic_ns).to_le_bytes());
        }
    }
    for number_of_drops in 0..DROPPED_COUNTERS {
        let at = offset_of!(Header, dropped) + 8 * number_of_drops;
        let figure = number(page, at).saturating_sub(number(&then.header, at));
        put(page, at, &figure.to_le_bytes());
    }
    // Of the whole life of the process: not known for a part of it.
    let usage = offset_of!(Header, user_ns)..offset_of!(Header, added_ps_per_pair);
    let command = offset_of!(Header, command_user_ns)..offset_of!(Header, keeps);
    for at in usage.chain(command).step_by(8) {
        put(page, at, &[0; 8]);
    }
}

/// Ends a process that still runs at the time of the look.
pub fn end(page: &mut [u8], interval: Interval) {
    let at = offset_of!(Header, end_monotonic_ns);
    if Fields(page).u64(at) == 0
        && let Some(now_ns) = interval.now_ns
    {
        put(page, at, &now_ns.to_le_bytes());
    }
}

/// Subtracts what was reported of the lifetimes of threads that are not listed. Threads that were listed at the earlier look, and no longer
/// are, are among them.
pub fn subtract_lives(page: &mut [u8], now: &RawPart, then: Option<&RawPart>) {
    let Some(then) = then else {
        return;
    };
    let at = offset_of!(Header, unlisted_ns);
    let lives = |part| with_ids(part).filter(|(_, group, ..)| group.kind == RecordKind::Thread);
    let listed: HashSet<Id> = lives(now).map(|(id, ..)| id).collect();
    let looked_ns = lives::ended_ns(then, None);
    let gone = lives(then).filter(|(id, ..)| !listed.contains(id));
    let gone = gone.map(|(.., record)| lives::lived_ns(Fields(record), looked_ns));
    let reported_ns = gone.fold(Fields(&then.header).u64(at), u64::saturating_add);
    let ns = Fields(page).u64(at).saturating_sub(reported_ns);
    put(page, at, &ns.to_le_bytes());
}
