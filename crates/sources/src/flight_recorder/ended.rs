//! Whether a process goes on writing its part.

use std::io;
use std::mem::offset_of;
use std::path::Path;

use locktoll_recording::layout::{Header, PAGE_BYTES};
use locktoll_recording::reader::{Recording, Source};
use locktoll_terminal::system::files::{of_process, text_of_process};

use crate::futexes::has_ended;

/// How long after its exit handlers a process without a known id is taken to write no more.
const EXITED_NS: u64 = 1_000_000_000;

/// What is known about the process that writes a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Life {
    /// Its id, as it sees it itself.
    pub pid: u32,
    /// The number of the part among those with this id: of the programs that it became, or of processes in other containers.
    pub sequence: u32,
    /// Whether that id is its id here too: in a container it may have another one.
    pub is_known_here: bool,
}

impl Life {
    /// Reads who writes the part that `source` has, in `folder`.
    pub fn of(source: &(impl Source + ?Sized), folder: &Path) -> Option<Self> {
        let mut page = vec![0; PAGE_BYTES as usize];
        let length = source.read_at(&mut page, 0).ok()?;
        let recording = Recording::from_bytes(&page[..length]).ok()?;
        let process = &recording.parts.first()?.process;
        Some(Self {
            pid: process.pid,
            sequence: process.sequence,
            is_known_here: was_told(process.pid, folder),
        })
    }

    /// Whether the process has ended at `now_ns`, as far as that can be seen.
    pub fn has_ended(&self, source: &(impl Source + ?Sized), now_ns: u64) -> bool {
        if self.is_known_here {
            return text_of_process(self.pid, "stat").map_or_else(
                |error| error.kind() == io::ErrorKind::NotFound,
                |stat| has_ended(&stat),
            );
        }
        let exited_ns = exited_ns(source);
        exited_ns.is_some_and(|it| it.saturating_add(EXITED_NS) < now_ns)
    }
}

/// Whether the process with this id started with our folder in its environment: proc_pid_environ(5).
fn was_told(pid: u32, folder: &Path) -> bool {
    let folder = folder.as_os_str().as_encoded_bytes();
    let environment = of_process(pid, "environ").unwrap_or_default();
    let mut values = environment
        .split(|&byte| byte == 0)
        .filter_map(|variable| variable.splitn(2, |&byte| byte == b'=').nth(1));
    !folder.is_empty() && values.any(|value| value == folder)
}

/// Returns when the process ran its exit handlers, if it did.
fn exited_ns(source: &(impl Source + ?Sized)) -> Option<u64> {
    let mut bytes = [0; 8];
    let at = offset_of!(Header, end_monotonic_ns) as u64;
    let is_whole = source.read_at(&mut bytes, at).ok()? == bytes.len();
    let ns = u64::from_le_bytes(bytes);
    (is_whole && ns != 0).then_some(ns)
}
