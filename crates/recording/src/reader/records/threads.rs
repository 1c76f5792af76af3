//! Lives of threads.

use core::mem::offset_of;
use std::string::String;

use crate::layout::{EntryPoint, THREAD_NAME_BYTES, ThreadRecord};
use crate::reader::bytes::Fields;
use crate::reader::index::Index;
use crate::reader::{KernelFigures, Thread, Waiting};

pub(in crate::reader) fn thread(fields: Fields<'_>, index: &Index) -> Option<Thread> {
    let number = |offset| fields.u64(offset);
    let tid = fields.u32(offset_of!(ThreadRecord, tid));
    let end_ns = number(offset_of!(ThreadRecord, end_ns));
    let read_ns = number(offset_of!(ThreadRecord, kernel_read_ns));
    let waiting_since_ns = number(offset_of!(ThreadRecord, waiting_since_ns));
    let site = |offset| index.sites.find(fields.u32(offset));
    let holder = fields.u32(offset_of!(ThreadRecord, waiting_holder));
    (tid != 0).then(|| Thread {
        tid,
        slot: fields.u32(offset_of!(ThreadRecord, slot)),
        name: name(fields.bytes(offset_of!(ThreadRecord, name), THREAD_NAME_BYTES)),
        start_ns: number(offset_of!(ThreadRecord, start_ns)),
        end_ns: (end_ns != 0).then_some(end_ns),
        waiting: (waiting_since_ns != 0).then(|| Waiting {
            since_ns: waiting_since_ns,
            lock_address: number(offset_of!(ThreadRecord, waiting_lock)),
            site: site(offset_of!(ThreadRecord, waiting_site)),
            entry: u8::try_from(fields.u32(offset_of!(ThreadRecord, waiting_entry)))
                .ok()
                .and_then(EntryPoint::from_number),
            holder: (holder != 0).then(|| {
                let at = site(offset_of!(ThreadRecord, waiting_holder_site));
                (holder, at)
            }),
        }),
        start_routine: site(offset_of!(ThreadRecord, start_routine)),
        kernel: (read_ns != 0).then(|| KernelFigures {
            read_ns,
            cpu_ns: number(offset_of!(ThreadRecord, cpu_ns)),
            run_delay_ns: number(offset_of!(ThreadRecord, run_delay_ns)),
            voluntary_switches: number(offset_of!(ThreadRecord, voluntary_switches)),
            involuntary_switches: number(offset_of!(ThreadRecord, involuntary_switches)),
        }),
        lock_wait_ns: number(offset_of!(ThreadRecord, lock_wait_ns)),
        signal_wait_ns: number(offset_of!(ThreadRecord, signal_wait_ns)),
        held_at: Some(number(offset_of!(ThreadRecord, held_list))).filter(|&at| at != 0),
        yields: number(offset_of!(ThreadRecord, yields)),
    })
}

fn name(bytes: &[u8]) -> String {
    let length = bytes
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}
