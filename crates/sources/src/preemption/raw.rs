//! The maps' entries, as `bpf/preemption.bpf.c` lays them out.

use aya::Pod;
use locktoll_recording::histogram::BUCKETS;

/// `struct process`: a part of the recording.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    pub pid: u32,
    pub sequence: u32,
}

/// `struct switched_key`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SwitchedKey {
    pub lock: u64,
    pub process: Process,
    pub site: u32,
    pub generation: u32,
    pub birth: u32,
    pub kind: u8,
    pub entry: u8,
    pub why: u8,
    pub zero: u8,
}

/// `struct switched`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Switched {
    pub count: u64,
    pub total_ns: u64,
    pub max_ns: u64,
    pub log2: [u64; BUCKETS],
}

/// `struct waited_key`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WaitedKey {
    pub lock: u64,
    pub process: Process,
    pub site: u32,
    pub generation: u32,
    pub birth: u32,
    pub tid: u32,
    pub kind: u8,
    pub entry: u8,
    pub zero: [u8; 6],
}

/// `struct waited`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Waited {
    pub count: u64,
    pub total_ns: u64,
    pub max_ns: u64,
}

/// `struct time_off`: a time without a processor.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct TimeOff {
    pub out_ns: u64,
    pub in_ns: u64,
    pub process: Process,
    pub tid: u32,
    pub why: u32,
    pub waker_pid: u32,
    pub waker_tid: u32,
}

// SAFETY: plain integers without padding between them, laid out as C does: any bytes are a value.
unsafe impl Pod for Process {}
// SAFETY: as above.
unsafe impl Pod for SwitchedKey {}
// SAFETY: as above.
unsafe impl Pod for Switched {}
// SAFETY: as above.
unsafe impl Pod for WaitedKey {}
// SAFETY: as above.
unsafe impl Pod for Waited {}
// SAFETY: as above.
unsafe impl Pod for TimeOff {}

const _: () = {
    assert!(size_of::<SwitchedKey>() == 32 && size_of::<Switched>() == 344);
    assert!(size_of::<TimeOff>() == 40);
    assert!(size_of::<WaitedKey>() == 40 && size_of::<Waited>() == 24);
};
