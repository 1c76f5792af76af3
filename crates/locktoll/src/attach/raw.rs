//! The maps' entries, as `bpf/futex.bpf.c` lays them out.

use aya::Pod;

/// How many powers of two a histogram has.
pub const BUCKETS: usize = 40;

/// `struct wait_key`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WaitKey {
    pub word: u64,
    pub process: u32,
    pub call: u32,
    pub stack: u32,
    pub waker_stack: u32,
}

/// `struct wait`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Wait {
    pub woken: u64,
    pub again: u64,
    pub timed_out: u64,
    pub interrupted: u64,
    pub failed: u64,
    pub total_ns: u64,
    pub max_ns: u64,
    pub runnable_ns: u64,
    pub log2: [u64; BUCKETS],
}

/// `struct wake_key`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WakeKey {
    pub word: u64,
    pub process: u32,
    pub call: u32,
    pub stack: u32,
    pub padding: u32,
}

/// `struct wake`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Wake {
    pub calls: u64,
    pub empty: u64,
    pub woken: u64,
    pub failed: u64,
}

// SAFETY: plain integers without padding between them, laid out as C does: any bytes are a value.
unsafe impl Pod for WaitKey {}
// SAFETY: as above.
unsafe impl Pod for Wait {}
// SAFETY: as above.
unsafe impl Pod for WakeKey {}
// SAFETY: as above.
unsafe impl Pod for Wake {}
