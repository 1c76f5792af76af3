//! All processes that write parts into a folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use locktoll_recording::reader::EventRun;

use super::process::Process;
use super::trigger::Trigger;
use crate::clock::now_ns;

/// Copies the events around long waits.
pub struct FlightRecorder {
    folder: PathBuf,
    trigger: Trigger,
    processes: HashMap<PathBuf, Process>,
    /// The room that is left, bytes.
    room: u64,
    /// Until when all events are copied.
    open_until_ns: u64,
    /// When they were copied last.
    copied_at_ns: u64,
    complete_ns: Vec<u64>,
    waits: u64,
    missed: u64,
}

/// The copies of events, by part.
#[derive(Default)]
pub struct Copies {
    /// The copies of each part.
    pub by_part: HashMap<PathBuf, Vec<EventRun>>,
    /// The waits that were too long.
    pub waits: u64,
    /// Those of them whose surroundings were not copied, since there was no room left.
    pub missed: u64,
    /// When the last copy after a wait was made, for each time that was copied: `CLOCK_MONOTONIC`.
    pub complete_ns: Vec<u64>,
}

impl FlightRecorder {
    /// Watches the processes that write their parts into `folder`.
    pub fn new(folder: &Path, trigger: Trigger) -> Self {
        Self {
            folder: folder.to_owned(),
            trigger,
            processes: HashMap::new(),
            room: trigger.room_bytes,
            open_until_ns: 0,
            copied_at_ns: 0,
            complete_ns: Vec::new(),
            waits: 0,
            missed: 0,
        }
    }

    /// Looks at all processes, and copies what is around long waits. To be called every few milliseconds: if a
    /// thread overwrites all of its events in between, they are lost.
    pub fn look(&mut self) {
        let begun_ns = now_ns();
        self.find_processes();
        let mut long = Vec::new();
        for process in self.processes.values_mut() {
            // A part that cannot be read any more keeps the copies that were made of it.
            long.extend(process.look(&self.trigger).unwrap_or_default());
        }
        // The time after a wait is over once there is a copy that was made later.
        let was_open = self.open_until_ns > self.copied_at_ns;
        let around_ns = self.trigger.around_ns;
        let begins = long.iter().map(|&(begin_ns, _)| begin_ns);
        let from_ns = begins.min().map(|it| it.saturating_sub(around_ns));
        let ends = long
            .iter()
            .map(|&(_, end_ns)| end_ns.saturating_add(around_ns));
        self.open_until_ns = ends.max().unwrap_or(0).max(self.open_until_ns);
        self.waits += long.len() as u64;
        let mut fits = true;
        if was_open || from_ns.is_some() {
            // While copying goes on, it begins where it ended.
            let from_ns = from_ns.unwrap_or(0);
            for process in self.processes.values_mut() {
                fits &= process.copy(from_ns, &mut self.room).unwrap_or(true);
            }
        }
        if !fits {
            self.missed += long.len() as u64;
        }
        if was_open || from_ns.is_some() {
            self.copied_at_ns = begun_ns;
            if fits && begun_ns >= self.open_until_ns {
                self.complete_ns.push(begun_ns);
            }
        }
    }

    /// Looks a last time, and returns all copies.
    pub fn finish(mut self) -> Copies {
        self.look();
        let copies = self.processes.into_iter();
        Copies {
            by_part: copies
                .map(|(path, process)| (path, process.into_copies()))
                .collect(),
            waits: self.waits,
            complete_ns: self.complete_ns,
            missed: self.missed,
        }
    }

    fn find_processes(&mut self) {
        let Ok(entries) = std::fs::read_dir(&self.folder) else {
            return;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let is_part = path.extension().is_some_and(|it| it == "part");
            if is_part
                && !self.processes.contains_key(&path)
                && let Ok(process) = Process::open(&path)
            {
                self.processes.insert(path, process);
            }
        }
    }
}
