//! The maps' entries, as `bpf/kernel.bpf.c` lays them out.

use aya::Pod;

/// How many powers of two a histogram has.
pub const BUCKETS: usize = 40;

/// The number of kinds in `enum kind`.
pub const KINDS: u32 = 12;

/// `struct of_kind`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct OfKind {
    pub count: u64,
    pub failed: u64,
    pub repeats: u64,
    pub total_ns: u64,
    pub max_ns: u64,
    pub log2: [u64; BUCKETS],
    pub log2_ticks: [u64; BUCKETS],
}

/// `struct row`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub count: u64,
    pub total_ns: u64,
    pub max_ns: u64,
    pub log2: [u32; BUCKETS],
    pub stack: u32,
    pub padding: u32,
}

/// `struct caller_key`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct CallerKey {
    pub stack: u32,
    pub kind: u32,
}

/// `struct lock_key`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LockKey {
    pub lock: u64,
    pub kind: u32,
    pub field: u32,
}

/// `struct histogram` of `bpf/spin_slow_path.bpf.c`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct SpinWaits {
    pub log2_ticks: [u64; BUCKETS],
}

/// `enum lost`.
#[derive(Clone, Copy, Debug)]
#[repr(u32)]
pub enum Lost {
    Nested,
    Tasks,
    Stacks,
    Callers,
    Locks,
    Ends,
    Begins,
}

// SAFETY: plain integers without padding between them, laid out as C does: any bytes are a value.
unsafe impl Pod for OfKind {}
// SAFETY: as above.
unsafe impl Pod for Row {}
// SAFETY: as above.
unsafe impl Pod for CallerKey {}
// SAFETY: as above.
unsafe impl Pod for LockKey {}
// SAFETY: as above.
unsafe impl Pod for SpinWaits {}
