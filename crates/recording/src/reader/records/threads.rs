//! Lives of threads.

use core::mem::offset_of;
use std::string::String;

use crate::layout::{THREAD_NAME_BYTES, ThreadRecord};
use crate::reader::bytes::Fields;
use crate::reader::{KernelFigures, Thread};

/// A thread, and what it says in ids.
pub(in crate::reader) struct RawThread {
    pub thread: Thread,
    pub waiting_since_ns: u64,
    pub waiting_lock: u64,
    pub waiting_site_id: u32,
    pub start_routine_id: u32,
}

pub(in crate::reader) fn thread(fields: Fields<'_>) -> Option<RawThread> {
    let number = |offset| fields.u64(offset);
    let tid = fields.u32(offset_of!(ThreadRecord, tid));
    let end_ns = number(offset_of!(ThreadRecord, end_ns));
    let read_ns = number(offset_of!(ThreadRecord, kernel_read_ns));
    (tid != 0).then(|| RawThread {
        thread: Thread {
            tid,
            slot: fields.u32(offset_of!(ThreadRecord, slot)),
            name: name(fields.bytes(offset_of!(ThreadRecord, name), THREAD_NAME_BYTES)),
            start_ns: number(offset_of!(ThreadRecord, start_ns)),
            end_ns: (end_ns != 0).then_some(end_ns),
            waiting: None,
            start_routine: None,
            kernel: (read_ns != 0).then(|| KernelFigures {
                read_ns,
                cpu_ns: number(offset_of!(ThreadRecord, cpu_ns)),
                run_delay_ns: number(offset_of!(ThreadRecord, run_delay_ns)),
                voluntary_switches: number(offset_of!(ThreadRecord, voluntary_switches)),
                involuntary_switches: number(offset_of!(ThreadRecord, involuntary_switches)),
            }),
            lock_wait_ns: number(offset_of!(ThreadRecord, lock_wait_ns)),
            signal_wait_ns: number(offset_of!(ThreadRecord, signal_wait_ns)),
        },
        waiting_since_ns: number(offset_of!(ThreadRecord, waiting_since_ns)),
        waiting_lock: number(offset_of!(ThreadRecord, waiting_lock)),
        waiting_site_id: fields.u32(offset_of!(ThreadRecord, waiting_site)),
        start_routine_id: fields.u32(offset_of!(ThreadRecord, start_routine)),
    })
}

fn name(bytes: &[u8]) -> String {
    let length = bytes
        .iter()
        .position(|&byte| byte == 0)
        .unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..length]).into_owned()
}
