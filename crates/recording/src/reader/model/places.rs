//! Places: code, call stacks, origins of locks, and names added after the run.

use std::path::PathBuf;
use std::string::String;
use std::vec::Vec;

use crate::layout::{BirthBy, LockKind};

/// A file with code in it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Module {
    /// Its number in variables that were added after the run.
    pub id: u32,
    /// Its path as the process had it mapped; `[vdso]` for the kernel's.
    pub path: PathBuf,
    /// The number to be added to an address in the ELF file to get an address in memory, wrapping; `None` if not found.
    pub bias: Option<u64>,
    /// GNU build id; empty if there was none.
    pub build_id: Vec<u8>,
    /// When the recorder first saw it, `CLOCK_MONOTONIC`.
    pub first_seen_ns: u64,
    /// The address ranges that it occupied, in the order of the recording.
    pub ranges: Vec<Range>,
}

/// An address range that belongs to a module.
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
    /// Its number in symbols that were added after the run.
    pub id: u32,
    /// The return address of the call: symbolize the byte before it.
    pub address: u64,
    /// Index into [`Part::modules`](super::Part::modules); `None` for code outside of files.
    pub module: Option<usize>,
    /// `address` as an offset in the module's file; zero without a module.
    pub file_offset: u64,
}

/// A stack of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stack {
    /// Its number in events by time.
    pub id: u32,
    /// Indices into [`Part::sites`](super::Part::sites), the innermost call first; `None` where the site is missing.
    pub sites: Vec<Option<usize>>,
    /// Whether there were more calls than are kept.
    pub truncated: bool,
}

/// Where locks came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Birth {
    /// How the locks came into the recording; `None` for a word of a newer version.
    pub by: Option<BirthBy>,
    /// The kind of the locks; `None` for a word of a newer version.
    pub kind: Option<LockKind>,
    /// Index into [`Part::stacks`](super::Part::stacks); `None` if no stack could be kept.
    pub stack: Option<usize>,
    /// The innermost call: index into [`Part::sites`](super::Part::sites).
    pub site: Option<usize>,
    /// How many locks came from there; zero for kinds that are not counted.
    pub locks: u64,
    /// Its number in the part.
    pub id: u32,
    /// If the process inherited these locks when it was forked: where they came from. `None` for locks that were made here. The
    /// other fields then say where this process first took them.
    pub inherited: Option<Inherited>,
}

/// A birth in the part of another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Inherited {
    /// [`Process::pid`](super::Process::pid) of that part.
    pub pid: u32,
    /// [`Process::sequence`](super::Process::sequence) of that part.
    pub sequence: u32,
    /// [`Birth::id`] in that part.
    pub birth: u32,
}

impl Inherited {
    /// Refers to the birth with this id in this part of this process.
    #[must_use]
    pub const fn new(pid: u32, sequence: u32, birth: u32) -> Self {
        Self {
            pid,
            sequence,
            birth,
        }
    }
}

/// A function at a call site, found after the run on a machine with the program's files.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Symbol {
    /// Index into [`Part::sites`](super::Part::sites).
    pub site: usize,
    /// 0 for the innermost function; the function into which it was inlined follows.
    pub depth: u32,
    /// The function's name as it is shown, if it has one. It may contain any characters; bytes that are not UTF-8 are replaced.
    pub function: Option<String>,
    /// The source file, if known.
    pub file: Option<String>,
    /// The line in it, if known.
    pub line: Option<u32>,
    /// The place as an address by the module's own numbering.
    pub address: u64,
}

/// A variable that holds locks, found after the run on a machine with the program's files.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Variable {
    /// Its address in the recorded process.
    pub address: u64,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its name as it is shown. It may contain any characters; bytes that are not UTF-8 are replaced.
    pub name: String,
    /// Index into [`Part::modules`](super::Part::modules).
    pub module: Option<usize>,
}
