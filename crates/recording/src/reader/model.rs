//! The values a recording is handed out as.

use std::boxed::Box;
use std::ffi::OsString;
use std::path::PathBuf;
use std::string::String;
use std::vec::Vec;

use super::Warning;
use crate::histogram;
use crate::layout::{Architecture, DropReason, EntryPoint, LockKind, Origin, StopReason};

/// One or several processes' locks.
#[derive(Clone, Debug)]
pub struct Recording {
    /// One entry a process image, in the order of the file.
    pub parts: Vec<Part>,
    /// What is missing or does not add up.
    pub warnings: Vec<Warning>,
}

/// What one process image did, from exec or fork to its end.
#[derive(Clone, Debug)]
pub struct Part {
    /// Who, when and how it ended.
    pub process: Process,
    /// Threads in the order the recorder first saw them.
    pub threads: Vec<Thread>,
    /// Files with code that were mapped.
    pub modules: Vec<Module>,
    /// Call sites.
    pub sites: Vec<Site>,
    /// Acquisitions and waits by thread slot, lock and call site.
    pub counts: Vec<Count>,
    /// What was not recorded.
    pub dropped: Dropped,
}

/// Who, when and how it ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Process {
    /// Process id, as the process itself saw it.
    pub pid: u32,
    /// Parent's process id when the part began.
    pub parent_pid: u32,
    /// Tells apart the parts of one process id, as exec makes them: 0 for the first.
    pub sequence: u32,
    /// Whether it began by exec or fork; `None` for a word of a newer version.
    pub origin: Option<Origin>,
    /// The processor architecture; `None` for a word of a newer version.
    pub architecture: Option<Architecture>,
    /// Bytes in a pointer.
    pub word_bytes: u8,
    /// The command line.
    pub command: CommandLine,
    /// Start, `CLOCK_REALTIME`, nanoseconds since 1970.
    pub start_realtime_ns: u64,
    /// Start, `CLOCK_MONOTONIC`.
    pub start_monotonic_ns: u64,
    /// When the exit handlers ran, `CLOCK_MONOTONIC`; `None` if the process was killed, called `_exit` or exec, or
    /// still ran when the recording was read.
    pub end_monotonic_ns: Option<u64>,
    /// Why and when recording stopped before the process did, if it did.
    pub stopped: Option<Stopped>,
    /// Version of the format it was written in: major, minor.
    pub format: (u16, u16),
}

/// A command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// The program as it was called, and its arguments. Any bytes: escape them before they reach a terminal.
    pub arguments: Vec<OsString>,
    /// Whether there was more than the recording had room for.
    pub truncated: bool,
}

/// Recording stopped while the process went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// Why; `None` for a word of a newer version.
    pub reason: Option<StopReason>,
    /// The errno(3) value, if there was one.
    pub errno: Option<i32>,
    /// When, `CLOCK_MONOTONIC`.
    pub monotonic_ns: u64,
}

/// A thread's life.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Thread {
    /// Thread id, gettid(2).
    pub tid: u32,
    /// The slot its counts are under. Threads that lived one after another may share one.
    pub slot: u32,
    /// The thread's name when first seen, if it had one. Any bytes are possible, replaced where not UTF-8.
    pub name: String,
    /// When the recorder first saw it, `CLOCK_MONOTONIC`.
    pub start_ns: u64,
    /// When it ended; `None` if it was alive at the end of the recording.
    pub end_ns: Option<u64>,
    /// What it was waiting for at the end of the recording, if it was waiting for a lock.
    pub waiting: Option<Waiting>,
}

/// A wait that had not ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// When it began, `CLOCK_MONOTONIC`.
    pub since_ns: u64,
    /// The lock's address.
    pub lock_address: u64,
    /// Index into [`Part::sites`].
    pub site: Option<usize>,
}

/// A file with code in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Module {
    /// Its path as the process had it mapped; `[vdso]` for the kernel's.
    pub path: PathBuf,
    /// What to add to an address in the ELF file to get an address in memory, wrapping; `None` if not found.
    pub bias: Option<u64>,
    /// GNU build id; empty if there was none.
    pub build_id: Vec<u8>,
    /// When the recorder first saw it, `CLOCK_MONOTONIC`.
    pub first_seen_ns: u64,
    /// The stretches of memory it took, in the order of the recording.
    pub ranges: Vec<Range>,
}

/// A stretch of memory that belongs to a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Range {
    /// First address.
    pub start: u64,
    /// The address after the last.
    pub end: u64,
    /// Where `start` lies in the file; `None` for zero-initialised data, which is in memory only.
    pub file_offset: Option<u64>,
    /// Whether the memory held code.
    pub executable: bool,
    /// Whether the memory could be written.
    pub writable: bool,
}

/// A call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Site {
    /// The return address of the call: symbolize the byte before it.
    pub address: u64,
    /// Index into [`Part::modules`]; `None` for code that lay in no file.
    pub module: Option<usize>,
    /// `address` as an offset in the module's file; zero without a module.
    pub file_offset: u64,
}

/// Acquisitions of one lock at one call site by one thread slot.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Count {
    /// The lock's address.
    pub lock_address: u64,
    /// Tells apart locks that lived at the same address; zero where that was not told apart.
    pub generation: u32,
    /// What sort of lock.
    pub kind: LockKind,
    /// By which function. [`EntryPoint::ConditionWait`] is the acquisition that ends a wait for a condition: it
    /// counts as an acquisition and never as contention.
    pub entry: EntryPoint,
    /// Index into [`Part::sites`]; `None` if the recorder could not keep it.
    pub site: Option<usize>,
    /// The thread slot, see [`Thread::slot`].
    pub thread_slot: u32,
    /// Acquisitions, contended or not.
    pub acquisitions: u64,
    /// The birth's id, see the births of the part; zero if not known.
    pub birth_id: u32,
    /// Waits and failed attempts; `None` if there never was one.
    pub contention: Option<Box<Contention>>,
}

/// Waits and failed attempts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Contention {
    /// Acquisitions that were waited for.
    pub contended: u64,
    /// Time waited, all waits together, those given up included.
    pub wait_total_ns: u64,
    /// The longest wait.
    pub wait_max_ns: u64,
    /// Attempts that found the lock taken and went away.
    pub try_failed: u64,
    /// Waits that ended by their deadline, without the lock.
    pub timed_out: u64,
    /// Waits by length, bucket `i` from 2^i up to 2^(i+1) ns: see [`histogram`].
    pub wait_histogram: [u64; histogram::BUCKETS],
}

/// What was not recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    pub(super) counters: [u64; DropReason::ALL.len()],
}

impl Dropped {
    /// How many were dropped for `reason`.
    #[must_use]
    pub fn count(&self, reason: DropReason) -> u64 {
        self.counters
            .get(usize::from(reason.number()))
            .copied()
            .unwrap_or(0)
    }

    /// Every reason for which something was dropped, with how many.
    pub fn iter(&self) -> impl Iterator<Item = (DropReason, u64)> + '_ {
        DropReason::ALL
            .iter()
            .map(|&reason| (reason, self.count(reason)))
            .filter(|&(_, count)| count > 0)
    }
}

impl Part {
    /// The module that `address` lies in, and the address there as the ELF file numbers it (the value of a symbol).
    ///
    /// Where several modules held the address one after another, the one seen last is taken. `None` for heap, stack
    /// and generated code, or if the module's load bias is not known.
    #[must_use]
    pub fn elf_address(&self, address: u64) -> Option<(&Module, u64)> {
        let module = self.modules.iter().rev().find(|module| {
            let mut ranges = module.ranges.iter();
            ranges.any(|range| (range.start..range.end).contains(&address))
        })?;
        Some((module, address.wrapping_sub(module.bias?)))
    }
}
