//! The faults of a recording.

use core::fmt;
use std::io;

use thiserror::Error;

use crate::layout::{MAJOR, MINOR, RecordKind};

/// Nothing could be read. Each variant displays as one line without the file's name.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file system refused.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The first bytes are not a recording's.
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
        /// Bytes there are.
        available: u64,
        /// Bytes the header needs.
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
    /// A machine whose numbers are laid out otherwise wrote it.
    #[error(
        "was written on a machine with another byte order or word size, which this locktoll does not read"
    )]
    ForeignMachine,
    /// The first header contradicts itself.
    #[error("is corrupt at byte {offset}: {what}")]
    Corrupt {
        /// Where.
        offset: u64,
        /// What is wrong there.
        what: &'static str,
    },
}

/// Something is missing from what was read, or does not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where in the file, in bytes.
    pub offset: u64,
    /// What.
    pub problem: Problem,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.problem)
    }
}

/// What a [`Warning`] is about.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file ends before the part does; what was there was read.
    #[error("the recording is truncated, {missing_bytes} bytes are missing")]
    Truncated {
        /// How many bytes the header promises beyond the end of the file.
        missing_bytes: u64,
    },
    /// The rest of a part could not be understood; what came before was read.
    #[error("the recording is corrupt: {what}; the rest of this process is left out")]
    Corrupt {
        /// What is wrong.
        what: &'static str,
    },
    /// Something other than a part follows a part.
    #[error("something that is not a recording follows, and is left out")]
    TrailingBytes,
    /// A later part is of a newer version, or of another machine.
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
        /// How many.
        count: u64,
        /// Of which kind.
        kind: RecordKind,
    },
    /// Figures that contradict each other; they were read as they are.
    #[error("the recording contradicts itself: {count} {what}")]
    Implausible {
        /// How many.
        count: u64,
        /// What there are so many of.
        what: &'static str,
    },
}
