//! Locks that were acquired while others were held.

use core::mem::offset_of;
use std::vec::Vec;

use super::figures::key;
use crate::layout::{
    EntryPoint, HELD_KEPT, HeldRecord, LockKind, OrderEvent, OrderRecord, THREADS_KEPT, order_flags,
};
use crate::reader::bytes::Fields;
use crate::reader::index::Index;
use crate::reader::{HeldLock, Key, Order};

pub(in crate::reader) fn order(fields: Fields<'_>, slot: u32, index: &Index) -> Option<Order> {
    let event = OrderEvent::from_number(fields.u8(offset_of!(OrderRecord, event)))?;
    let concerns_a_lock = fields.u64(offset_of!(OrderRecord, lock)) != 0;
    let acquired = match concerns_a_lock {
        true => Some(key(fields, slot, index)?),
        false => None,
    };
    let held_locks = fields.u32(offset_of!(OrderRecord, held_locks));
    let kept = HELD_KEPT.min(held_locks as usize);
    let held: Option<Vec<HeldLock>> = (0..kept)
        .map(|place| place * size_of::<HeldRecord>() + offset_of!(OrderRecord, held))
        // Locks of which nothing was kept are at the end.
        .take_while(|&at| fields.u64(at + offset_of!(HeldRecord, lock)) != 0)
        .map(|at| held_lock(fields, at, slot, index))
        .collect();
    let threads = fields.u32(offset_of!(OrderRecord, threads));
    let tid = |place| fields.u32(offset_of!(OrderRecord, tids) + 4 * place);
    let flags = fields.u8(offset_of!(OrderRecord, flags));
    Some(Order {
        event,
        acquired,
        site: index.sites.find(fields.u32(offset_of!(OrderRecord, site))),
        stack: index
            .stacks
            .find(fields.u32(offset_of!(OrderRecord, stack))),
        thread_slot: slot,
        times: fields.u64(offset_of!(OrderRecord, times)),
        prefers_writers: flags & order_flags::PREFERS_WRITERS != 0,
        threads,
        tids: (0..THREADS_KEPT.min(threads as usize)).map(tid).collect(),
        held_locks,
        held: held?,
    })
}

fn held_lock(fields: Fields<'_>, at: usize, slot: u32, index: &Index) -> Option<HeldLock> {
    let number = |offset| fields.u32(at + offset);
    let flags = fields.u8(at + offset_of!(HeldRecord, flags));
    let (kind, entry) = (
        fields.u8(at + offset_of!(HeldRecord, kind)),
        fields.u8(at + offset_of!(HeldRecord, entry)),
    );
    Some(HeldLock {
        key: Key {
            lock_address: fields.u64(at + offset_of!(HeldRecord, lock)),
            generation: number(offset_of!(HeldRecord, generation)),
            kind: LockKind::from_number(kind)?,
            entry: EntryPoint::from_number(entry)?,
            site: index.sites.find(number(offset_of!(HeldRecord, site))),
            thread_slot: slot,
            birth: index.births.find(number(offset_of!(HeldRecord, birth))),
        },
        stack: index.stacks.find(number(offset_of!(HeldRecord, stack))),
        upwards: flags & order_flags::UPWARDS != 0,
        downwards: flags & order_flags::DOWNWARDS != 0,
    })
}
