//! The records, one structure a kind.

use core::mem::offset_of;
use core::sync::atomic::{AtomicU8, AtomicU32, AtomicU64};

use super::RecordKind;
use crate::histogram;

/// The greatest length of a thread's name, its ending zero included: prctl(2), `PR_SET_NAME`.
pub const THREAD_NAME_BYTES: usize = 16;

/// A structure that segments are made of.
///
/// # Safety
///
/// The type is `repr(C)`, made of atomic integers only (so that any bytes are a valid value and shared memory may
/// change under a reference), at most 8-aligned, and its size divides into no padding.
pub unsafe trait Record {
    /// The kind written in the header of segments of this record.
    const KIND: RecordKind;
}

/// Acquisitions of one lock at one call site by one thread slot. Half a cache line, never across two.
#[repr(C)]
pub struct CountRecord {
    /// The address of the lock, never zero.
    pub lock: AtomicU64,
    /// Acquisitions, contended or not.
    pub acquisitions: AtomicU64,
    /// [`SiteRecord::id`] of the call, or zero if no site could be kept.
    pub site: AtomicU32,
    /// Which lock at this address, where memory is reused; zero as long as that is not told apart.
    pub generation: AtomicU32,
    /// When the first acquisition was attempted, in milliseconds since the start of the part.
    pub first_seen_ms: AtomicU32,
    /// [`LockKind`](super::LockKind).
    pub kind: AtomicU8,
    /// [`EntryPoint`](super::EntryPoint).
    pub entry: AtomicU8,
    /// Zero.
    pub reserved: [AtomicU8; 2],
}

/// The waits that go with the [`CountRecord`] of the same thread slot, lock, site and generation.
///
/// It begins like a count so that one table finds both.
#[repr(C)]
pub struct ContentionRecord {
    /// The address of the lock, never zero.
    pub lock: AtomicU64,
    /// Acquisitions that did not succeed at once and were waited for.
    pub contended: AtomicU64,
    /// As in [`CountRecord`].
    pub site: AtomicU32,
    /// As in [`CountRecord`].
    pub generation: AtomicU32,
    /// When the first wait or the first failed attempt began, in milliseconds since the start of the part.
    pub first_seen_ms: AtomicU32,
    /// [`LockKind`](super::LockKind).
    pub kind: AtomicU8,
    /// [`EntryPoint`](super::EntryPoint).
    pub entry: AtomicU8,
    /// Zero.
    pub reserved: [AtomicU8; 2],
    /// Time waited, all waits together, those given up included.
    pub wait_total_ns: AtomicU64,
    /// The longest wait.
    pub wait_max_ns: AtomicU64,
    /// Attempts (`trylock`) that found the lock taken.
    pub try_failed: AtomicU64,
    /// Waits that ended by their deadline, without the lock.
    pub timed_out: AtomicU64,
    /// Reserved: the share of `wait_total_ns` spent spinning.
    pub spin_ns: AtomicU64,
    /// Reserved: the share of `wait_total_ns` spent blocked in the kernel.
    pub blocked_ns: AtomicU64,
    /// Reserved: the share of `wait_total_ns` between wake-up and running again.
    pub runnable_ns: AtomicU64,
    /// Zero. Room for later minor versions.
    pub reserved_words: [AtomicU64; 1],
    /// Waits by their length; the buckets are those of [`histogram`].
    pub wait_histogram: [AtomicU64; histogram::BUCKETS],
}

/// A place in the program that acquires locks.
#[repr(C)]
pub struct SiteRecord {
    /// The return address of the call: the instruction after it.
    pub address: AtomicU64,
    /// The same place as an offset in the module's file; zero if `module` is.
    pub file_offset: AtomicU64,
    /// [`ModuleRecord::id`], or zero if the address lay in no file (generated code).
    pub module: AtomicU32,
    /// What other records call this site: 1 for the first.
    pub id: AtomicU32,
    /// Zero. Room for later minor versions.
    pub reserved: AtomicU64,
}

/// A thread's life. A thread slot serves one thread after another, so the counts of a slot may be those of several.
#[repr(C)]
pub struct ThreadRecord {
    /// Thread id, gettid(2).
    pub tid: AtomicU32,
    /// The thread slot it used: [`SegmentHeader::owner`](super::SegmentHeader::owner).
    pub slot: AtomicU32,
    /// When the recorder first saw the thread.
    pub start_ns: AtomicU64,
    /// When the thread gave back its slot, or zero while it runs.
    pub end_ns: AtomicU64,
    /// When the wait began that the thread is in, or zero.
    pub waiting_since_ns: AtomicU64,
    /// The lock it waits for, while `waiting_since_ns` is not zero.
    pub waiting_lock: AtomicU64,
    /// The site it waits at, while `waiting_since_ns` is not zero.
    pub waiting_site: AtomicU32,
    /// Zero.
    pub reserved_half: AtomicU32,
    /// The thread's name when it was first seen, ended by a zero byte.
    pub name: [AtomicU8; THREAD_NAME_BYTES],
    /// Zero. Room for later minor versions.
    pub reserved: [AtomicU64; 8],
}

/// A file with code in it that the process had mapped. Its path fills the record up to its end.
#[repr(C)]
pub struct ModuleRecord {
    /// What other records call this module: 1 for the first.
    pub id: AtomicU32,
    /// The length of the path in bytes.
    pub path_bytes: AtomicU32,
    /// What to add to an address in the ELF file to get an address in memory. Wraps around.
    pub bias: AtomicU64,
    /// When the recorder first saw the module.
    pub first_seen_ns: AtomicU64,
    /// Whether `bias` could be found: 0 or 1.
    pub bias_known: AtomicU8,
    /// How many bytes of `build_id` are used.
    pub build_id_bytes: AtomicU8,
    /// Zero.
    pub reserved: [AtomicU8; 6],
    /// The GNU build id, elf(5), as much of it as fits.
    pub build_id: [AtomicU8; 32],
    // The path follows, in the rest of the segment's `record_bytes`.
}

/// A stretch of memory that belongs to a module.
#[repr(C)]
pub struct RangeRecord {
    /// First address.
    pub start: AtomicU64,
    /// The address after the last.
    pub end: AtomicU64,
    /// Where `start` lies in the file; meaningless if the stretch is not backed by it.
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

macro_rules! records {
    ($($record:ident is $kind:ident, $bytes:literal bytes;)*) => {
        $(
            const _: () = assert!(size_of::<$record>() == $bytes && align_of::<$record>() == 8);
            // SAFETY: the structure above is repr(C), all its fields are atomic integers, and the assertion
            // pins its size, which is the sum of its fields'.
            unsafe impl Record for $record {
                const KIND: RecordKind = RecordKind::$kind;
            }
        )*
    };
}

records! {
    CountRecord is Count, 32 bytes;
    ContentionRecord is Contention, 416 bytes;
    SiteRecord is Site, 32 bytes;
    ThreadRecord is Thread, 128 bytes;
    ModuleRecord is Module, 64 bytes;
    RangeRecord is Range, 32 bytes;
}

const _: () = {
    // One table serves both kinds of record because they begin alike.
    assert!(offset_of!(CountRecord, lock) == offset_of!(ContentionRecord, lock));
    assert!(offset_of!(CountRecord, site) == offset_of!(ContentionRecord, site));
    assert!(offset_of!(CountRecord, generation) == offset_of!(ContentionRecord, generation));
    assert!(offset_of!(CountRecord, kind) == offset_of!(ContentionRecord, kind));
    assert!(offset_of!(ContentionRecord, wait_histogram) == 96);
    assert!(offset_of!(ThreadRecord, name) == 48);
    assert!(offset_of!(ModuleRecord, build_id) == 32);
};
