//! Copies of events by time, made while the program ran.

use core::ptr::NonNull;

use super::Appendix;
use crate::layout::EventRecord;
use crate::reader::EventRun;
use crate::writer::{RingSegment, segment_bytes};

/// No segment has more events than this.
const MOST_EVENTS: usize = 1 << 20;

impl Appendix {
    /// Adds copies of events of the part, which its rings may not have any more.
    #[must_use]
    pub fn with_events(mut self, runs: &[EventRun]) -> Self {
        for run in runs {
            let mut first = run.first;
            for events in run.events.chunks(MOST_EVENTS) {
                let bytes = segment_bytes(events.len() as u32, size_of::<EventRecord>() as u32);
                let begin = self.words.len();
                self.words.resize(begin + bytes as usize / 8, 0);
                let memory = NonNull::from(&mut self.words[begin..]).cast();
                // SAFETY: A1.
                let ring = unsafe { RingSegment::begin(memory, bytes, run.slot, first) };
                for (index, event) in (0..ring.capacity()).zip(events) {
                    // SAFETY: below the capacity.
                    event.store(unsafe { ring.record(index) });
                }
                ring.publish(events.len() as u32);
                first += events.len() as u64;
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::layout::{EventKind, EventWords, LockKind, PAGE_BYTES};
    use crate::reader::{EventSegment, EventSpan};

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
        let runs = [run(3, 100, 500), run(7, 0, 1)];
        let appendix = Appendix::default().with_events(&runs);
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
