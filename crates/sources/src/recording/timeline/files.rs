//! The files that have the rings.

use std::fs::File;

use locktoll_recording::reader::{EventRun, EventSegment, EventSpan, Part, Recording};

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

    /// Returns the events of a part, those of one thread slot together and in their order.
    pub fn events(&self, position: usize, part: &Part) -> PartEvents<'_> {
        let after = self.files.partition_point(|&(_, end)| end <= position);
        let mut spans: Vec<EventSpan> = part.events.iter().flat_map(EventSegment::spans).collect();
        spans.retain(|span| span.count > 0);
        spans.sort_by_key(|span| (span.slot, span.first));
        PartEvents {
            file: self.files.get(after).map(|(file, _)| file),
            spans,
        }
    }
}

/// The events of a part, which are read piece by piece, since there may be more than memory has room for.
pub struct PartEvents<'f> {
    file: Option<&'f File>,
    spans: Vec<EventSpan>,
}

impl PartEvents<'_> {
    /// Reads the events, run by run. A run that cannot be read is left out.
    pub fn runs(&self) -> impl Iterator<Item = EventRun> + '_ {
        let read = |span: &EventSpan| span.read(self.file?).ok();
        let runs = self.spans.iter().filter_map(read);
        runs.filter(|run| !run.events.is_empty())
    }
}
