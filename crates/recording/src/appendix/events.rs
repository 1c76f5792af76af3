//! Copies of events by time, made while the program ran.

use core::ptr::NonNull;

use super::Appendix;
use crate::layout::{EventRecord, EventWords};
use crate::writer::{RingSegment, segment_bytes};

/// No segment has more events than this.
const MOST_EVENTS: usize = 1 << 20;

/// Events of one thread slot that follow each other.
#[derive(Clone, Copy, Debug)]
pub struct NewEvents<'a> {
    /// The thread slot.
    pub slot: u32,
    /// The number of the first event among those of the slot.
    pub first: u64,
    /// The events.
    pub events: &'a [EventWords],
}

impl Appendix {
    /// Adds copies of events of the part, which its rings may not have any more.
    #[must_use]
    pub fn with_events(mut self, new: NewEvents<'_>) -> Self {
        let mut first = new.first;
        for events in new.events.chunks(MOST_EVENTS) {
            let bytes = segment_bytes(events.len() as u32, size_of::<EventRecord>() as u32);
            let begin = self.words.len();
            self.words.resize(begin + bytes as usize / 8, 0);
            let memory = NonNull::from(&mut self.words[begin..]).cast();
            // SAFETY: A1.
            let ring = unsafe { RingSegment::begin(memory, bytes, new.slot, first) };
            for (index, event) in (0..ring.capacity()).zip(events) {
                // SAFETY: below the capacity.
                event.store(unsafe { ring.record(index) });
            }
            ring.publish(events.len() as u32);
            first += events.len() as u64;
        }
        self
    }
}
