//! Begins, stops and ends a part.

use core::sync::atomic::AtomicU8;
use core::sync::atomic::Ordering::{Relaxed, Release};

use crate::layout::{
    Architecture, BYTE_ORDER, COMMAND_BYTES, Header, MAGIC, MAJOR, MINOR, Origin, PAGE_BYTES,
    StopReason, flags,
};

#[cfg(target_endian = "big")]
compile_error!("the recording is written in place, and its format is little-endian");

/// The facts that are known when a part begins.
#[derive(Clone, Copy, Debug)]
pub struct PartStart<'a> {
    /// How the process image began.
    pub origin: Origin,
    /// Process id.
    pub pid: u32,
    /// Parent's process id.
    pub parent_pid: u32,
    /// The number of the part among those with this process id, from 0.
    pub sequence: u32,
    /// `CLOCK_REALTIME`, nanoseconds since 1970.
    pub start_realtime_ns: u64,
    /// `CLOCK_MONOTONIC`.
    pub start_monotonic_ns: u64,
    /// The known part of the command line, every argument terminated by a zero byte.
    pub command: &'a [u8],
    /// The length of the command line, if that is more than the length of `command`.
    pub command_total_bytes: u32,
}

const ARCHITECTURE: Architecture = if cfg!(target_arch = "aarch64") {
    Architecture::Aarch64
} else {
    Architecture::X86_64
};

/// Writes the header of a part into a page of zeros.
pub fn begin_part(header: &Header, start: PartStart<'_>) {
    header.major.store(MAJOR, Relaxed);
    header.minor.store(MINOR, Relaxed);
    header.header_bytes.store(PAGE_BYTES as u32, Relaxed);
    header.byte_order.store(BYTE_ORDER, Relaxed);
    header.word_bytes.store(size_of::<usize>() as u8, Relaxed);
    header.architecture.store(ARCHITECTURE.number(), Relaxed);
    header.origin.store(start.origin.number(), Relaxed);
    header.end.store(PAGE_BYTES, Relaxed);
    header.pid.store(start.pid, Relaxed);
    header.parent_pid.store(start.parent_pid, Relaxed);
    header.sequence.store(start.sequence, Relaxed);
    header
        .start_realtime_ns
        .store(start.start_realtime_ns, Relaxed);
    header
        .start_monotonic_ns
        .store(start.start_monotonic_ns, Relaxed);
    let used = start.command.len().min(COMMAND_BYTES);
    store_bytes(&header.command, &start.command[..used]);
    header.command_bytes.store(used as u32, Relaxed);
    let total = start.command_total_bytes.max(start.command.len() as u32);
    header.command_total_bytes.store(total, Relaxed);
    // Release: a thread that sees the magic number sees a whole header.
    header.magic.store(MAGIC, Release);
}

/// Notes that recording stops here while the process goes on.
pub fn stop_part(header: &Header, reason: StopReason, errno: i32, monotonic_ns: u64) {
    header.stop_reason.store(reason.number(), Relaxed);
    header.stop_errno.store(errno.cast_unsigned(), Relaxed);
    header.stopped_monotonic_ns.store(monotonic_ns, Relaxed);
    // Release: a thread that sees the flag sees the reason.
    header.flags.fetch_or(flags::STOPPED, Release);
}

/// Notes that the process runs its exit handlers.
pub fn end_part(header: &Header, monotonic_ns: u64) {
    header.end_monotonic_ns.store(monotonic_ns, Relaxed);
    // Release: a thread that sees the flag sees the time.
    header.flags.fetch_or(flags::ENDED, Release);
}

/// Copies as many of `bytes` as fit into a field of bytes.
pub fn store_bytes(field: &[AtomicU8], bytes: &[u8]) {
    for (place, byte) in field.iter().zip(bytes) {
        place.store(*byte, Relaxed);
    }
}
