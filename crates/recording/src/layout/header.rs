//! The first page of a part.

use core::mem::offset_of;
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64};

/// The first eight bytes of a part, `LOCKTOLL`, stored last when the header is written.
pub const MAGIC: u64 = u64::from_le_bytes(*b"LOCKTOLL");

/// The version that a reader must support to understand a part. Raised if parts written before would otherwise be misread.
pub const MAJOR: u16 = 1;

/// Raised by additions that an older reader of the same major version skips.
pub const MINOR: u16 = 8;

/// The value of [`Header::byte_order`] in a part that was written in the byte order of this format.
pub const BYTE_ORDER: u32 = 0x0403_0201;

/// The size of the header and the alignment of every segment. It is the format's, not the machine's page size.
pub const PAGE_BYTES: u64 = 4096;

/// The number of bytes of the command line that fit into the header.
pub const COMMAND_BYTES: usize = 3584;

/// Room for the counters of [`DropReason`](super::DropReason).
pub const DROPPED_COUNTERS: usize = 16;

/// The header page of a part.
///
/// | field | written |
/// |---|---|
/// | `magic` | last, with release ordering: a header without it was never finished |
/// | `end`, `dropped` | while recording, by any thread |
/// | `flags`, `stop_*`, `end_monotonic_ns` | once, when recording stops or the process exits |
/// | all others | once, before `magic` |
#[repr(C)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: AtomicU64,
    /// [`MAJOR`] of the writer.
    pub major: AtomicU16,
    /// [`MINOR`] of the writer.
    pub minor: AtomicU16,
    /// The length of this header in bytes: where the first segment begins. A multiple of [`PAGE_BYTES`].
    pub header_bytes: AtomicU32,
    /// [`BYTE_ORDER`] if the writer's byte order was little-endian.
    pub byte_order: AtomicU32,
    /// Bytes in a pointer of the recorded process.
    pub word_bytes: AtomicU8,
    /// [`Architecture`](super::Architecture) of the recorded process.
    pub architecture: AtomicU8,
    /// [`Origin`](super::Origin): whether the process image began by exec or by fork.
    pub origin: AtomicU8,
    /// Zero.
    pub reserved_byte: AtomicU8,
    /// The length of the part in bytes so far: where the next segment will begin.
    pub end: AtomicU64,
    /// Bits of [`flags`](super::flags).
    pub flags: AtomicU32,
    /// [`StopReason`](super::StopReason), if the flag `STOPPED` is set.
    pub stop_reason: AtomicU32,
    /// The errno(3) value that goes with `stop_reason`, or zero.
    pub stop_errno: AtomicU32,
    /// Distinguishes the parts with one process id: 0 for the first.
    pub sequence: AtomicU32,
    /// When recording stopped, or zero.
    pub stopped_monotonic_ns: AtomicU64,
    /// Process id, as seen by the process itself.
    pub pid: AtomicU32,
    /// Parent's process id at the start of the part.
    pub parent_pid: AtomicU32,
    /// Start of the part by `CLOCK_REALTIME`, nanoseconds since 1970.
    pub start_realtime_ns: AtomicU64,
    /// Start of the part.
    pub start_monotonic_ns: AtomicU64,
    /// When the process ran its exit handlers, or zero.
    pub end_monotonic_ns: AtomicU64,
    /// The number of bytes used in `command`.
    pub command_bytes: AtomicU32,
    /// The real length of the command line; more than `command_bytes` if it did not fit.
    pub command_total_bytes: AtomicU32,
    /// Lost data, by [`DropReason`](super::DropReason).
    pub dropped: [AtomicU64; DROPPED_COUNTERS],
    /// [`Mode`](super::Mode).
    pub mode: AtomicU32,
    /// Zero.
    pub reserved_half: AtomicU32,
    /// User time of the process, getrusage(2), when it ran its exit handlers; zero if it never did.
    pub user_ns: AtomicU64,
    /// Kernel time, as `user_ns`.
    pub system_ns: AtomicU64,
    /// Voluntary context switches, as `user_ns`.
    pub voluntary_switches: AtomicU64,
    /// Involuntary context switches, as `user_ns`.
    pub involuntary_switches: AtomicU64,
    /// The time that recording adds to one uncontended acquisition and release here, in picoseconds; filled in after the run by
    /// the process that measured it, else zero.
    pub added_ps_per_pair: AtomicU64,
    /// Minor version 1: user time of the command and of all processes that it and its children waited for, wait4(2). Filled in
    /// after the run by the process that started the command, in the first part of the command's own process. Otherwise zero, for
    /// example if the command's children were not recorded.
    pub command_user_ns: AtomicU64,
    /// Kernel time, as `command_user_ns`.
    pub command_system_ns: AtomicU64,
    /// Voluntary context switches, as `command_user_ns`.
    pub command_voluntary_switches: AtomicU64,
    /// Involuntary context switches, as `command_user_ns`.
    pub command_involuntary_switches: AtomicU64,
    /// [`Keeps`](super::Keeps), or zero if no events are kept. Since minor version 6.
    pub keeps: AtomicU64,
    /// The room for events, in bytes. Since minor version 6.
    pub event_bytes: AtomicU64,
    /// The number of processes that have ended and whose figures are added up in this part; zero for the part of one process. Such a
    /// part has no process id. A process that executed the same program again counts once; before minor version 8, once for each time.
    /// Since minor version 7.
    pub processes: AtomicU64,
    /// The lifetimes, added up, of those threads whose lives are not listed: all threads of processes that are added up, and those whose
    /// record was used again for a later thread. [`DropReason::ThreadUnwritten`](super::DropReason::ThreadUnwritten) counts them. Since
    /// minor version 8.
    pub unlisted_ns: AtomicU64,
    /// Zero. Room for later minor versions.
    pub reserved: [AtomicU64; 22],
    /// The command line: arguments, each ended by a zero byte, as in `/proc/PID/cmdline` (proc_pid_cmdline(5)).
    pub command: [AtomicU8; COMMAND_BYTES],
}

// Existing files depend on the layout: a moved field must not compile.
const _: () = {
    assert!(size_of::<Header>() == PAGE_BYTES as usize);
    assert!(offset_of!(Header, header_bytes) == 12);
    assert!(offset_of!(Header, end) == 24);
    assert!(offset_of!(Header, flags) == 32);
    assert!(offset_of!(Header, stopped_monotonic_ns) == 48);
    assert!(offset_of!(Header, pid) == 56);
    assert!(offset_of!(Header, start_realtime_ns) == 64);
    assert!(offset_of!(Header, command_bytes) == 88);
    assert!(offset_of!(Header, dropped) == 96);
    assert!(offset_of!(Header, command) == 512);
};
