//! The process, its time and its end, and the data that was not recorded.

use std::ffi::OsString;
use std::vec::Vec;

use crate::layout::{Architecture, DropReason, Keeps, Mode, Origin, StopReason};

/// The process, its time and its end.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Process {
    /// Process id, as seen by the process itself.
    pub pid: u32,
    /// Parent's process id when the part began.
    pub parent_pid: u32,
    /// Distinguishes the parts with one process id, which exec makes: 0 for the first.
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
    /// The events that were timed; `None` if the recording does not say, or for a word of a newer version.
    pub mode: Option<Mode>,
    /// Processor time and context switches; `None` if the process ended before it could report them.
    pub usage: Option<Usage>,
    /// The resources used by the command and all processes that it and its children waited for; `None` in the parts of other
    /// processes, if they were not measured, and if the command's children were not recorded.
    pub command_usage: Option<Usage>,
    /// The time that recording adds to one uncontended acquisition and release there, in picoseconds; `None` if it was not
    /// measured.
    pub added_ps_per_pair: Option<u64>,
    /// Whether the order of locks was noted.
    pub notes_order: bool,
    /// Which events by time it kept, and the room for them in bytes; `None` if none, or for a word of a newer version.
    pub keeps: Option<(Keeps, u64)>,
    /// The number of processes that have ended and whose figures are added up here; `None` for the part of one process.
    pub added_up: Option<u64>,
    /// The lifetimes of threads that are not listed, added up; `None` before minor version 8 of the format, which did not have them.
    pub unlisted_ns: Option<u64>,
    /// The version of the format in which it was written: major, minor.
    pub format: (u16, u16),
}

/// The figures of getrusage(2) or wait4(2) for processes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// User time.
    pub user_ns: u64,
    /// Kernel time.
    pub system_ns: u64,
    /// Context switches because it waited for something.
    pub voluntary_switches: u64,
    /// Context switches because others came first.
    pub involuntary_switches: u64,
}

/// A command line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// The program as it was called, and its arguments. They may contain any bytes: escape them before they reach a terminal.
    pub arguments: Vec<OsString>,
    /// Whether it was longer than the recording had room for.
    pub truncated: bool,
}

/// Recording stopped while the process went on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The reason; `None` for a word of a newer version.
    pub reason: Option<StopReason>,
    /// The errno(3) value, if there was one.
    pub errno: Option<i32>,
    /// When, `CLOCK_MONOTONIC`.
    pub monotonic_ns: u64,
}

/// Lost data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    pub(in crate::reader) counters: [u64; DropReason::ALL.len()],
}

impl Dropped {
    /// Returns how many items were dropped for `reason`.
    #[must_use]
    pub fn count(&self, reason: DropReason) -> u64 {
        self.counters
            .get(usize::from(reason.number()))
            .copied()
            .unwrap_or(0)
    }

    /// Returns every reason for which something was dropped, with the number of items.
    pub fn iter(&self) -> impl Iterator<Item = (DropReason, u64)> + '_ {
        DropReason::ALL
            .iter()
            .map(|&reason| (reason, self.count(reason)))
            .filter(|&(_, count)| count > 0)
    }
}
