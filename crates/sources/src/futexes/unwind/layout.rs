//! The maps' entries, as `bpf/unwind_maps.bpf.h` lays them out.

use aya::Pod;

/// The most calls in a stack.
pub const FRAMES: usize = 64;

/// `struct process`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    pub first: u32,
    pub mappings: u32,
    pub generation: u32,
    pub padding: u32,
}

/// `struct mapping`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mapping {
    pub start: u64,
    pub end: u64,
    pub base: u64,
    pub first_page: u32,
    pub pages: u32,
}

/// `struct stack`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Stack {
    pub frames: u32,
    pub end: u32,
    pub addresses: [u64; FRAMES],
}

// SAFETY: plain integers without padding between them, laid out as C does: any bytes are a value.
unsafe impl Pod for Process {}
// SAFETY: as above.
unsafe impl Pod for Mapping {}
// SAFETY: as above.
unsafe impl Pod for Stack {}
