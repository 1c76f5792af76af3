//! The events of a part, which are in rings.

use std::io;
use std::vec::Vec;

use super::segments::Segment;
use super::source::Source;
use crate::layout::EventWords;

const EVENT_BYTES: usize = 32;
/// How many events are read at a time, at most: 256 KiB.
const MOST_AT_ONCE: u64 = 1 << 13;
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

/// Where consecutive events of one thread slot lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventSpan {
    /// The thread slot.
    pub slot: u32,
    /// The number of the first event among those of the slot. The others follow without a gap.
    pub first: u64,
    /// How many events there are.
    pub count: u64,
    /// Where the first one lies in the source.
    position: u64,
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

    /// Returns the two numbers that change when the ring begins another round.
    pub(super) fn round(&self) -> (u64, u64) {
        (self.first, self.before)
    }

    /// Returns the segments of events among `bytes`, which begin with a segment.
    #[cfg(test)]
    pub(crate) fn all_of(bytes: &[u8]) -> Vec<Self> {
        use super::segments::{Segments, Step};
        let end = bytes.len() as u64;
        let mut walk = Segments::new(bytes, 0, end, end);
        let mut all = Vec::new();
        loop {
            match walk.step().expect("bytes can be read") {
                Step::Segment(segment) => all.extend(Self::of(&segment)),
                Step::End => return all,
                Step::Passed | Step::Warning(_) => {}
            }
        }
    }

    /// Returns where its events lie, the older ones first. The first span is empty if the ring has not begun again.
    #[must_use]
    pub fn spans(&self) -> [EventSpan; 2] {
        let old = match self.before {
            0 => self.count..self.count,
            _ => (self.count + TORN).min(self.records)..self.records,
        };
        let number = self.before.saturating_sub(1).saturating_add(old.start);
        let span = |records: core::ops::Range<u64>, first| EventSpan {
            slot: self.slot,
            first,
            count: records.end - records.start,
            position: self.first_record + records.start * EVENT_BYTES as u64,
        };
        [span(old, number), span(0..self.count, self.first)]
    }
}

impl EventSpan {
    /// Returns a span of events that lie nowhere, for tests of what becomes of their numbers.
    #[doc(hidden)]
    #[must_use]
    pub fn of(run: &EventRun) -> Self {
        Self {
            slot: run.slot,
            first: run.first,
            count: run.events.len() as u64,
            position: 0,
        }
    }

    /// Returns the number after that of its last event.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.first.saturating_add(self.count)
    }

    /// Returns the part of it that begins with event `number`, or all of it if its first event is later.
    #[must_use]
    pub fn from(self, number: u64) -> Self {
        let skipped = number.saturating_sub(self.first).min(self.count);
        Self {
            first: self.first + skipped,
            count: self.count - skipped,
            position: self.position + skipped * EVENT_BYTES as u64,
            ..self
        }
    }

    /// Reads its events. There are fewer of them where the source ends earlier.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn read<S: Source + ?Sized>(&self, source: &S) -> io::Result<EventRun> {
        let mut events = Vec::new();
        // Many spans have only a few events.
        let at_once = self.count.min(MOST_AT_ONCE);
        let mut buffer = std::vec![0; at_once as usize * EVENT_BYTES];
        let mut next = 0;
        while next < self.count {
            let wanted = (self.count - next).min(at_once) as usize;
            let bytes = &mut buffer[..wanted * EVENT_BYTES];
            let read = source.read_at(bytes, self.position + next * EVENT_BYTES as u64)?;
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
            first: self.first,
            events,
        })
    }
}

impl EventRun {
    /// The slot of times without a CPU, which the kernel has seen: no thread's.
    pub const TIMES_OFF: u32 = u32::MAX - 1;
}

fn words(bytes: &[u8]) -> EventWords {
    let mut words = [0; 4];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks_exact(8)) {
        *word = u64::from_le_bytes(bytes.try_into().unwrap_or_default());
    }
    EventWords(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appendix::{Appendix, NewEvents};
    use crate::layout::{EventKind, LockKind, PAGE_BYTES};

    #[test]
    fn a_reader_finds_the_copies_and_their_numbers() {
        let event = |time| {
            EventWords::new(
                EventKind::Signal,
                (LockKind::Condvar, 16, 1),
                0,
                [time, 0],
                2,
            )
        };
        let run = |slot, first, count: u64| EventRun {
            slot,
            first,
            events: (0..count).map(|it| event(first + it)).collect(),
        };
        let runs = [
            run(3, 100, 500),
            run(7, 0, 1),
            run(9, 0, 2 * MOST_AT_ONCE + 5),
        ];
        let mut appendix = Appendix::default();
        for run in &runs {
            appendix = appendix.with_events(NewEvents {
                slot: run.slot,
                first: run.first,
                events: &run.events,
            });
        }
        assert!(appendix.length().is_multiple_of(PAGE_BYTES));
        let bytes = appendix.bytes();
        let segments = EventSegment::all_of(&bytes);
        let spans: Vec<EventSpan> = segments.iter().flat_map(EventSegment::spans).collect();
        let read = spans.iter().filter(|it| it.count > 0);
        let read: Vec<EventRun> = read.map(|it| it.read(&bytes[..]).unwrap()).collect();
        assert_eq!(read, runs);
        let later = spans.iter().find(|it| it.count == 500).unwrap().from(598);
        assert_eq!((later.count, later.end()), (2, 600));
        assert_eq!(
            later.read(&bytes[..]).unwrap().events,
            runs[0].events[498..]
        );
        assert_eq!(later.from(700).count, 0);
    }
}
