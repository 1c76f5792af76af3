//! Segments of events, which are written again and again.

use core::ptr::NonNull;
use core::sync::atomic::Ordering::{Relaxed, Release};
use core::sync::atomic::fence;

use super::segment::SegmentWriter;
use crate::layout::{EventRecord, SEGMENT_HEADER_BYTES, SegmentHeader};

/// A segment of events. Its thread slot alone writes it (W3), and may hold several copies of this.
#[derive(Clone, Copy)]
pub struct RingSegment {
    header: NonNull<SegmentHeader>,
    capacity: u32,
}

impl RingSegment {
    /// Writes the header of a segment of `bytes` bytes at `memory`, whose first record will be event number `first`.
    ///
    /// # Safety
    /// W1 for `bytes` bytes at `memory`, W2 and W3.
    #[must_use]
    pub unsafe fn begin(memory: NonNull<u8>, bytes: u64, owner: u32, first: u64) -> Self {
        let header = memory.cast::<SegmentHeader>();
        // SAFETY: W1 gives at least a page of aligned memory, which is zero.
        let fields = unsafe { header.as_ref() };
        // Relaxed: the magic number, which is stored below, publishes it.
        fields.ring.first.store(first, Relaxed);
        // SAFETY: the caller's promise.
        let writer = unsafe { SegmentWriter::<EventRecord>::begin(memory, bytes, owner) };
        Self {
            header,
            capacity: writer.room(),
        }
    }

    /// Returns the number of records.
    #[must_use]
    pub fn capacity(self) -> u32 {
        self.capacity
    }

    fn header(&self) -> &SegmentHeader {
        // SAFETY: W1.
        unsafe { self.header.as_ref() }
    }

    /// Returns the number of the event in the first record.
    #[must_use]
    pub fn first(self) -> u64 {
        self.header().ring.first.load(Relaxed)
    }

    /// Begins another round at the first record, which will be event number `first`.
    ///
    /// The process may be killed after each of these stores: the header always gives each event its right number. While the count is still
    /// that of the old round, which is full, `before` numbers no event. While the count is zero, `first` numbers no event.
    pub fn restart(self, first: u64) {
        let ring = &self.header().ring;
        // Relaxed: only this thread has written it.
        ring.before.store(ring.first.load(Relaxed) + 1, Relaxed);
        // Release, twice: a reader that sees a store also sees those before it.
        self.header().count.store(0, Release);
        ring.first.store(first, Release);
        // Nor may a reader see a record of the new round next to the header of the old one.
        fence(Release);
    }

    /// Returns the record at `index`.
    ///
    /// # Safety
    /// `index` is below the capacity.
    #[inline(always)]
    #[must_use]
    pub unsafe fn record<'a>(self, index: u32) -> &'a EventRecord {
        let offset = SEGMENT_HEADER_BYTES as usize + index as usize * size_of::<EventRecord>();
        // SAFETY: the capacity keeps every record inside the segment's memory, which stays mapped (W1).
        unsafe { &*self.header.as_ptr().byte_add(offset).cast() }
    }

    /// Makes the first `count` records visible as those of this round.
    #[inline(always)]
    pub fn publish(self, count: u32) {
        // Release: a thread that sees the count sees the records.
        self.header().count.store(count, Release);
    }
}
