//! All processes that write parts into a folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use locktoll_recording::reader::EventRun;

use super::process::{Copied, Process};
use super::trigger::{LongWait, Trigger};
use super::window::Window;
use crate::clock::now_ns;

/// How often it is checked whether processes have ended.
const ENDED_NS: u64 = 100_000_000;

/// Copies the events around long waits.
pub struct FlightRecorder {
    folder: PathBuf,
    trigger: Trigger,
    parts: HashMap<PathBuf, Part>,
    /// The room that is left, bytes.
    room: u64,
    /// The time that is being copied now.
    window: Option<Window>,
    /// Whether there was no room: for any copies, and for those around waits that may not be for a lock.
    is_full: bool,
    is_half_full: bool,
    /// When it is checked again whether processes have ended.
    ended_due_ns: u64,
    complete_ns: Vec<u64>,
    waits: u64,
    missed: u64,
}

/// A part that was found.
enum Part {
    /// A process writes it.
    Written(Box<Process>),
    /// Its process has ended. The rest of its events is in the part, and nobody overwrites it.
    Ended(Vec<EventRun>),
}

/// The copies of events, by part.
#[derive(Default)]
pub struct Copies {
    /// The copies of each part.
    pub by_part: HashMap<PathBuf, Vec<EventRun>>,
    /// The waits that were too long.
    pub waits: u64,
    /// Those of them around which not all events were copied, since there was no room left.
    pub missed: u64,
    /// When the last copy after a wait was made, for each window that was copied: `CLOCK_MONOTONIC`.
    pub complete_ns: Vec<u64>,
}

impl FlightRecorder {
    /// Watches the processes that write their parts into `folder`.
    pub fn new(folder: &Path, trigger: Trigger) -> Self {
        Self {
            folder: folder.to_owned(),
            trigger,
            parts: HashMap::new(),
            room: trigger.room_bytes,
            window: None,
            is_full: false,
            is_half_full: false,
            ended_due_ns: 0,
            complete_ns: Vec::new(),
            waits: 0,
            missed: 0,
        }
    }

    /// Looks at all processes, and copies what is around long waits. To be called every few milliseconds: if a
    /// thread overwrites all of its events in between, they are lost.
    pub fn look(&mut self) {
        self.look_at(now_ns());
    }

    /// Looks as if it were `begun_ns`: everything that was written before is in the rings.
    pub(super) fn look_at(&mut self, begun_ns: u64) {
        self.find_processes();
        // Those that have ended are looked at once more.
        let ended = self.ended(begun_ns);
        let mut long = Vec::new();
        for process in written(&mut self.parts) {
            // A part that cannot be read any more keeps the copies that were made of it.
            long.extend(process.look(&self.trigger).unwrap_or_default());
        }
        self.waits += long.len() as u64;
        self.open_window(&long);
        if let Some(window) = self.window.take() {
            self.window = self.copy(window, begun_ns);
        }
        for path in ended {
            if let Some(part) = self.parts.get_mut(&path) {
                part.let_go();
            }
        }
    }

    /// Begins to copy what is around these waits, or adds it to what is being copied, as far as there is room.
    fn open_window(&mut self, long: &[LongWait]) {
        let is_certain = |it: &LongWait| it.is_certain;
        let has_room = !self.is_full && (!self.is_half_full || long.iter().any(is_certain));
        match &mut self.window {
            Some(window) => window.add(long, &self.trigger),
            None if has_room => self.window = Window::around(long, &self.trigger),
            None => self.missed += long.len() as u64,
        }
    }

    /// Copies what belongs to a window. Returns it if it goes on.
    fn copy(&mut self, mut window: Window, begun_ns: u64) -> Option<Window> {
        let kept_back = self.trigger.kept_back(window.is_certain);
        let room = self.room.saturating_sub(kept_back);
        let (mut left, mut is_whole) = (room, true);
        for process in written(&mut self.parts) {
            match process.copy(window.from_ns, &mut left) {
                Ok(Copied::All) => {}
                // What could not be read may be missing.
                Ok(Copied::NotAll) | Err(_) => is_whole = false,
                Ok(Copied::NoRoom) => {
                    self.room -= room - left;
                    self.missed += window.pending();
                    self.is_half_full = true;
                    self.is_full |= window.is_certain;
                    return None;
                }
            }
        }
        self.room -= room - left;
        if !window.is_over_at(begun_ns) {
            return Some(window);
        }
        if is_whole {
            self.complete_ns.push(begun_ns);
        }
        None
    }

    /// Looks a last time, and returns all copies.
    pub fn finish(mut self) -> Copies {
        self.look();
        let copies = self.parts.into_iter();
        Copies {
            by_part: copies
                .map(|(path, part)| (path, part.into_copies()))
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
                && !self.parts.contains_key(&path)
                && let Ok(process) = Process::open(&path, &self.folder)
            {
                self.parts.insert(path, Part::Written(Box::new(process)));
            }
        }
    }

    /// Returns the parts whose processes have ended, if it is time to check that. A process that becomes another program goes on in
    /// another part; but in containers, several processes may have the same id.
    fn ended(&mut self, now_ns: u64) -> Vec<PathBuf> {
        if now_ns < self.ended_due_ns {
            return Vec::new();
        }
        self.ended_due_ns = now_ns.saturating_add(ENDED_NS);
        let mut last: HashMap<u32, u32> = HashMap::new();
        let known = written(&mut self.parts).filter_map(|it| it.life());
        for life in known.filter(|it| it.is_known_here) {
            let sequence = last.entry(life.pid).or_default();
            *sequence = life.sequence.max(*sequence);
        }
        let has_ended = |process: &Process| {
            let goes_on_elsewhere = |life: super::ended::Life| {
                life.is_known_here && last.get(&life.pid).is_some_and(|&it| it > life.sequence)
            };
            process.life().is_some_and(goes_on_elsewhere) || process.has_ended(now_ns)
        };
        let parts = self.parts.iter().filter(|(_, part)| match part {
            Part::Written(process) => has_ended(process),
            Part::Ended(_) => false,
        });
        parts.map(|(path, _)| path.clone()).collect()
    }

    /// Returns how many parts are read.
    #[cfg(test)]
    pub(super) fn read_parts(&mut self) -> usize {
        written(&mut self.parts).count()
    }
}

fn written(parts: &mut HashMap<PathBuf, Part>) -> impl Iterator<Item = &mut Process> {
    parts.values_mut().filter_map(|part| match part {
        Part::Written(process) => Some(&mut **process),
        Part::Ended(_) => None,
    })
}

impl Part {
    /// Keeps the copies alone.
    fn let_go(&mut self) {
        let part = std::mem::replace(self, Self::Ended(Vec::new()));
        *self = Self::Ended(part.into_copies());
    }

    fn into_copies(self) -> Vec<EventRun> {
        match self {
            Self::Written(process) => process.into_copies(),
            Self::Ended(copies) => copies,
        }
    }
}
