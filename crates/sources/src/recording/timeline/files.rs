//! The files that have the rings.

use std::fs::File;

use locktoll_recording::reader::{EventRun, Part, Recording};

/// The files of a recording: one, or one for each part.
#[derive(Default)]
pub struct EventFiles {
    /// Each file, and the number of parts in this file and those before it.
    files: Vec<(File, usize)>,
}

impl EventFiles {
    /// Adds the file that was read as `recording`.
    pub fn add(&mut self, file: File, recording: &Recording) {
        let before = self.files.last().map_or(0, |&(_, parts)| parts);
        self.files.push((file, before + recording.parts.len()));
    }

    /// Returns the events of a part, those of one thread slot together and in their order. A ring that cannot be read is left out.
    pub fn runs(&self, position: usize, part: &Part) -> Vec<EventRun> {
        let after = self.files.partition_point(|&(_, end)| end <= position);
        let Some((file, _)) = self.files.get(after) else {
            return Vec::new();
        };
        let segments = part.events.iter();
        let mut runs: Vec<EventRun> = segments
            .filter_map(|segment| segment.read(file).ok())
            .flatten()
            .filter(|run| !run.events.is_empty())
            .collect();
        runs.sort_by_key(|run| (run.slot, run.first));
        runs
    }
}
