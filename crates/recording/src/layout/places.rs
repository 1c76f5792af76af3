//! Records of places: code, call stacks, and the origins of locks.

use core::mem::offset_of;
use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use super::record::records;

/// How many calls of a stack are kept: the innermost ones.
pub const STACK_FRAMES: usize = 58;

/// A place in the program that acquires locks.
#[repr(C)]
pub struct SiteRecord {
    /// The return address of the call: the instruction after it.
    pub address: AtomicU64,
    /// The same place as an offset in the module's file; zero if `module` is.
    pub file_offset: AtomicU64,
    /// [`ModuleRecord::id`], or zero if there was no file at the address (generated code).
    pub module: AtomicU32,
    /// The number of this site in other records: 1 for the first.
    pub id: AtomicU32,
    /// Zero. Room for later minor versions.
    pub reserved: AtomicU64,
}

/// A stack of calls. Every frame is a place in the program, so it is a [`SiteRecord`] like any other.
#[repr(C)]
pub struct StackRecord {
    /// The number of this stack in other records: 1 for the first.
    pub id: AtomicU32,
    /// How many of `sites` are used.
    pub frames: AtomicU32,
    /// 1 if there were more calls than fit, else 0.
    pub truncated: AtomicU32,
    /// Zero.
    pub reserved: AtomicU32,
    /// Zero. Room for later minor versions.
    pub reserved_word: AtomicU64,
    /// [`SiteRecord::id`] of each call, the innermost first: the first is the call of the lock function itself.
    pub sites: [AtomicU32; STACK_FRAMES],
}

/// Where locks came from: the stack of calls that initialised them, or that acquired them first.
///
/// All locks that came from one place share one birth.
#[repr(C)]
pub struct BirthRecord {
    /// The number of this birth in other records: 1 for the first.
    pub id: AtomicU32,
    /// [`StackRecord::id`], or zero if no stack could be kept.
    pub stack: AtomicU32,
    /// [`SiteRecord::id`] of the innermost call.
    pub site: AtomicU32,
    /// [`BirthBy`](super::BirthBy).
    pub by: AtomicU8,
    /// [`LockKind`](super::LockKind).
    pub kind: AtomicU8,
    /// Zero.
    pub reserved_half: [AtomicU8; 2],
    /// How many locks came from there, for the kinds that are marked; zero for others.
    pub locks: AtomicU64,
    /// Minor version 1: [`Header::pid`](super::Header::pid) of the process from which fork(2) copied these locks, and which had
    /// seen them before; zero for locks that were made here. The other fields then say where this process first took them.
    pub ancestor_pid: AtomicU32,
    /// [`Header::sequence`](super::Header::sequence) of that process's part.
    pub ancestor_sequence: AtomicU32,
    /// [`BirthRecord::id`] of these locks in that part.
    pub ancestor_birth: AtomicU32,
    /// Zero.
    pub reserved: AtomicU32,
}

/// A file with code in it that the process had mapped. Its path fills the record up to its end.
#[repr(C)]
pub struct ModuleRecord {
    /// The number of this module in other records: 1 for the first.
    pub id: AtomicU32,
    /// The length of the path in bytes.
    pub path_bytes: AtomicU32,
    /// The number to be added to an address in the ELF file to get an address in memory. Wraps around.
    pub bias: AtomicU64,
    /// When the recorder first saw the module.
    pub first_seen_ns: AtomicU64,
    /// Whether `bias` could be found: 0 or 1.
    pub bias_known: AtomicU8,
    /// How many bytes of `build_id` are used.
    pub build_id_bytes: AtomicU8,
    /// Zero.
    pub reserved: [AtomicU8; 6],
    /// The GNU build id, elf(5), or as much of it as fits.
    pub build_id: [AtomicU8; 32],
    // The path follows, in the rest of the segment's `record_bytes`.
}

/// An address range that belongs to a module.
#[repr(C)]
pub struct RangeRecord {
    /// First address.
    pub start: AtomicU64,
    /// The address after the last.
    pub end: AtomicU64,
    /// Where `start` lies in the file; meaningless if the range is not backed by it.
    pub file_offset: AtomicU64,
    /// [`ModuleRecord::id`].
    pub module: AtomicU32,
    /// Bits of [`range_flags`].
    pub flags: AtomicU32,
}

/// Bits of [`RangeRecord::flags`].
pub mod range_flags {
    /// The memory can be read.
    pub const READABLE: u32 = 1;
    /// The memory can be written.
    pub const WRITABLE: u32 = 2;
    /// The memory holds code.
    pub const EXECUTABLE: u32 = 4;
    /// The memory is not backed by the file: the zero-initialised data that follows it.
    pub const ANONYMOUS: u32 = 8;
}

records! {
    SiteRecord is Site, 32 bytes;
    StackRecord is Stack, 256 bytes;
    BirthRecord is Birth, 40 bytes;
    ModuleRecord is Module, 64 bytes;
    RangeRecord is Range, 32 bytes;
}

const _: () = assert!(offset_of!(ModuleRecord, build_id) == 32);
