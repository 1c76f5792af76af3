//! Faults of a recording.

use core::fmt;
use std::io;

use thiserror::Error;

use crate::layout::{MAJOR, MINOR, RecordKind};

/// Why nothing could be read. Each variant displays as one line without the file's name.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file system refused.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The first bytes do not belong to a recording.
    #[error("is not a locktoll recording or result")]
    NotARecording {
        /// Where a header was expected.
        offset: u64,
    },
    /// It ends before the first header does.
    #[error(
        "is truncated: it has {available} bytes where the header of a recording needs {needed}"
    )]
    Truncated {
        /// The number of available bytes.
        available: u64,
        /// The number of bytes that the header needs.
        needed: u64,
    },
    /// A newer program wrote it.
    #[error(
        "was written by a newer locktoll (format {major}.{minor}; this version reads up to {MAJOR}.x); upgrade locktoll"
    )]
    NewerVersion {
        /// Its major version.
        major: u16,
        /// Its minor version.
        minor: u16,
    },
    /// It was written by a machine with another layout of numbers.
    #[error(
        "was written on a machine with another byte order or word size, which this locktoll does not read"
    )]
    ForeignMachine,
    /// The first header contradicts itself.
    #[error("is corrupt at byte {offset}: {what}")]
    Corrupt {
        /// The offset of the fault.
        offset: u64,
        /// What is wrong there.
        what: &'static str,
    },
}

/// Data that is missing, or that does not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The offset in the file, in bytes.
    pub offset: u64,
    /// The problem.
    pub problem: Problem,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.problem)
    }
}

/// The problem that a [`Warning`] reports.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file ends before the part does; the existing data was read.
    #[error("the recording is truncated, {missing_bytes} bytes are missing")]
    Truncated {
        /// How many bytes the header promises beyond the end of the file.
        missing_bytes: u64,
    },
    /// The rest of a part could not be understood; the data before it was read.
    #[error("the recording is corrupt: {what}; the rest of this process is left out")]
    Corrupt {
        /// What is wrong.
        what: &'static str,
    },
    /// Something other than a part follows a part.
    #[error("something that is not a recording follows, and is left out")]
    TrailingBytes,
    /// A later part was written by a newer version, or by another machine.
    #[error(
        "a process recorded in version {major}.{minor} of the format is left out; this locktoll reads up to {MAJOR}.{MINOR}"
    )]
    UnreadablePart {
        /// Its major version.
        major: u16,
        /// Its minor version.
        minor: u16,
    },
    /// Single records that cannot be right.
    #[error("{count} records ({kind:?}) make no sense and are left out")]
    BadRecords {
        /// Their number.
        count: u64,
        /// Their kind.
        kind: RecordKind,
    },
    /// Figures that contradict each other; they were read as they are.
    #[error("the recording contradicts itself: {count} {what}")]
    Implausible {
        /// Their number.
        count: u64,
        /// The kind of contradiction.
        what: &'static str,
    },
}
