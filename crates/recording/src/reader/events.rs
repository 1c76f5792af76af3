//! The events of a part, which are in rings.

use std::io;
use std::vec::Vec;

use super::segments::Segment;
use super::source::Source;
use crate::layout::EventWords;

/// How many bytes are read at a time.
const BUFFER_BYTES: usize = 256 << 10;
const EVENT_BYTES: usize = 32;
/// In a segment that a process is still writing, these records after the published ones may be half written.
const TORN: u64 = 2;

/// Where one segment of events lies in its source.
#[derive(Clone, Copy, Debug)]
pub struct EventSegment {
    /// The thread slot, see [`Thread::slot`](super::Thread::slot).
    pub slot: u32,
    first_record: u64,
    records: u64,
    /// The number of records of the present round.
    count: u64,
    first: u64,
    /// As in [`Ring`](crate::layout::Ring).
    before: u64,
}

/// Events of one thread slot that follow each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventRun {
    /// The thread slot.
    pub slot: u32,
    /// The number of the first event among those of the slot. The others follow without a gap.
    pub first: u64,
    /// The events.
    pub events: Vec<EventWords>,
}

impl EventSegment {
    /// Returns the segment if its records have the form of this version.
    pub(super) fn of(segment: &Segment) -> Option<Self> {
        (segment.record_bytes == EVENT_BYTES as u64).then_some(Self {
            slot: segment.owner,
            first_record: segment.first_record,
            records: segment.there,
            count: segment.records,
            first: segment.ring.0,
            before: segment.ring.1,
        })
    }

    /// Reads its events, the older ones first. The second run is empty if the ring has not begun again.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn read<S: Source + ?Sized>(&self, source: &S) -> io::Result<[EventRun; 2]> {
        let old = match self.before {
            0 => self.count..self.count,
            _ => (self.count + TORN).min(self.records)..self.records,
        };
        let number = self.before.saturating_sub(1).saturating_add(old.start);
        let older = self.run(source, old, number)?;
        Ok([older, self.run(source, 0..self.count, self.first)?])
    }

    fn run<S: Source + ?Sized>(
        &self,
        source: &S,
        records: core::ops::Range<u64>,
        first: u64,
    ) -> io::Result<EventRun> {
        let mut events = Vec::new();
        let mut buffer = std::vec![0; BUFFER_BYTES];
        let mut next = records.start;
        while next < records.end {
            let wanted = ((records.end - next) as usize).min(BUFFER_BYTES / EVENT_BYTES);
            let bytes = &mut buffer[..wanted * EVENT_BYTES];
            let offset = self.first_record + next * EVENT_BYTES as u64;
            let read = source.read_at(bytes, offset)?;
            let before = events.len();
            let read_events = bytes[..read].chunks_exact(EVENT_BYTES).map(words);
            // A published record is never zero, and a sparse file could hold more of them than memory does.
            events.extend(read_events.take_while(|event| event.0[1] != 0));
            if events.len() - before < wanted {
                break;
            }
            next += wanted as u64;
        }
        Ok(EventRun {
            slot: self.slot,
            first,
            events,
        })
    }
}

fn words(bytes: &[u8]) -> EventWords {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
    }
    EventWords(words)
}
