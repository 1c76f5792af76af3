//! The kernel's data about holders that did not run, added after the run.

use core::mem::offset_of;
use std::boxed::Box;

use super::figures::{buckets, key};
use crate::layout::{OffCpu, PreemptedWaitRecord, PreemptionRecord, WatchRecord, WatchedBy};
use crate::reader::bytes::Fields;
use crate::reader::index::Index;
use crate::reader::{PreemptedWait, Preemption, Watch};

pub(in crate::reader) fn preemption(fields: Fields<'_>, index: &Index) -> Option<Preemption> {
    let number = |offset| fields.u64(offset);
    Some(Preemption {
        key: key(fields, 0, index)?,
        why: OffCpu::from_number(fields.u8(offset_of!(PreemptionRecord, why)))?,
        count: number(offset_of!(PreemptionRecord, count)),
        total_ns: number(offset_of!(PreemptionRecord, total_ns)),
        max_ns: number(offset_of!(PreemptionRecord, max_ns)),
        histogram: Box::new(buckets(fields, offset_of!(PreemptionRecord, histogram))),
    })
}

pub(in crate::reader) fn preempted_wait(
    fields: Fields<'_>,
    index: &Index,
) -> Option<PreemptedWait> {
    let number = |offset| fields.u64(offset);
    Some(PreemptedWait {
        key: key(fields, 0, index)?,
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
