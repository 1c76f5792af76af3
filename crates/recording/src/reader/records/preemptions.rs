//! What the kernel saw of holders that did not run, added after the run.

use core::mem::offset_of;
use std::boxed::Box;

use super::figures::{RawKey, birth_id, buckets, key};
use crate::histogram;
use crate::layout::{OffCpu, PreemptedWaitRecord, PreemptionRecord, WatchRecord, WatchedBy};
use crate::reader::Watch;
use crate::reader::bytes::Fields;

pub(in crate::reader) struct RawPreemption {
    pub key: RawKey,
    pub birth_id: u32,
    pub why: OffCpu,
    pub count: u64,
    pub total_ns: u64,
    pub max_ns: u64,
    pub histogram: Box<[u64; histogram::BUCKETS]>,
}

pub(in crate::reader) struct RawPreemptedWait {
    pub key: RawKey,
    pub birth_id: u32,
    pub tid: u32,
    pub count: u64,
    pub wait_ns: u64,
    pub max_ns: u64,
}

pub(in crate::reader) fn preemption(fields: Fields<'_>) -> Option<RawPreemption> {
    let number = |offset| fields.u64(offset);
    Some(RawPreemption {
        key: key(fields, 0)?,
        birth_id: birth_id(fields),
        why: OffCpu::from_number(fields.u8(offset_of!(PreemptionRecord, why)))?,
        count: number(offset_of!(PreemptionRecord, count)),
        total_ns: number(offset_of!(PreemptionRecord, total_ns)),
        max_ns: number(offset_of!(PreemptionRecord, max_ns)),
        histogram: Box::new(buckets(fields, offset_of!(PreemptionRecord, histogram))),
    })
}

pub(in crate::reader) fn preempted_wait(fields: Fields<'_>) -> Option<RawPreemptedWait> {
    let number = |offset| fields.u64(offset);
    Some(RawPreemptedWait {
        key: key(fields, 0)?,
        birth_id: birth_id(fields),
        tid: fields.u32(offset_of!(PreemptedWaitRecord, tid)),
        count: number(offset_of!(PreemptedWaitRecord, count)),
        wait_ns: number(offset_of!(PreemptedWaitRecord, wait_ns)),
        max_ns: number(offset_of!(PreemptedWaitRecord, max_ns)),
    })
}

pub(in crate::reader) fn watch(fields: Fields<'_>) -> Option<Watch> {
    let number = |offset| fields.u64(offset);
    Some(Watch {
        by: WatchedBy::from_number(fields.u32(offset_of!(WatchRecord, by)))?,
        threads: number(offset_of!(WatchRecord, threads)),
        unkept: number(offset_of!(WatchRecord, unkept)),
        waits_unkept: number(offset_of!(WatchRecord, waits_unkept)),
        unread: number(offset_of!(WatchRecord, unread)),
        too_many_held: number(offset_of!(WatchRecord, too_many_held)),
        unregistered: number(offset_of!(WatchRecord, unregistered)),
        unseen: number(offset_of!(WatchRecord, unseen)),
    })
}
