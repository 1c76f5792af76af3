//! A ring that begins another round while it is read.

use std::cell::Cell;
use std::io;
use std::mem::offset_of;
use std::ops::Range;

use locktoll_recording::layout::{
    EventKind, EventWords, LockKind, PAGE_BYTES, Ring, SEGMENT_HEADER_BYTES, SegmentHeader,
};
use locktoll_recording::reader::{EventSegment, Live, Recording, Source};

use crate::builder::{Builder, put};

const CAPACITY: u64 = (PAGE_BYTES - SEGMENT_HEADER_BYTES) / 32;
const COUNT: usize = offset_of!(SegmentHeader, count);
const FIRST: usize = offset_of!(SegmentHeader, ring) + offset_of!(Ring, first);
const BEFORE: usize = offset_of!(SegmentHeader, ring) + offset_of!(Ring, before);
/// Where the ring begins: it is the first segment.
const AT: usize = PAGE_BYTES as usize;

/// A part whose one ring is full for the second time. Each event says its number.
fn part() -> Vec<u8> {
    let lock = (LockKind::Mutex, 0x5000, 0);
    let event = |number: u64| EventWords::new(EventKind::Block, lock, 0, [number + 1, 1], 1);
    let events: Vec<EventWords> = (0..2 * CAPACITY).map(event).collect();
    let mut part = Builder::new(7, b"./server\0");
    part.ring(5, 100, &events);
    part.bytes()
}

/// What beginning a third round stores, in its order.
fn restart() -> [(usize, Vec<u8>); 3] {
    [
        (BEFORE, (CAPACITY + 1).to_le_bytes().to_vec()),
        (COUNT, 0_u32.to_le_bytes().to_vec()),
        (FIRST, (2 * CAPACITY).to_le_bytes().to_vec()),
    ]
}

/// Returns how many events are found. Each must have its own number.
fn found(segments: &[EventSegment], bytes: &[u8]) -> usize {
    let spans = segments.iter().flat_map(EventSegment::spans);
    let counts = spans.map(|span| {
        let run = span.read(bytes).unwrap();
        for (number, event) in (run.first..).zip(&run.events) {
            assert_eq!(event.0[0], number + 1);
        }
        run.events.len()
    });
    counts.sum()
}

#[test]
fn each_event_has_its_number_after_each_store_of_a_restart() {
    let mut bytes = part();
    let events = |bytes: &[u8]| {
        let recording = Recording::from_bytes(bytes).unwrap();
        found(&recording.parts[0].events, bytes)
    };
    assert_eq!(events(&bytes), CAPACITY as usize);
    let left = restart().map(|(at, value)| {
        put(&mut bytes, AT + at, &value);
        events(&bytes)
    });
    // Two may be half written as soon as the round has begun.
    let less = CAPACITY as usize - 2;
    assert_eq!(left, [CAPACITY as usize, less, less]);
}

/// A part whose ring begins another round while its header is read: some bytes of it are read before the stores.
struct Changing<'a> {
    before: &'a [u8],
    after: &'a [u8],
    /// The bytes of the header that are read before, in the first reading and in the second one. All later ones come after.
    read_before: [Range<usize>; 2],
    readings: Cell<usize>,
}

impl Source for Changing<'_> {
    fn length(&self) -> io::Result<u64> {
        Ok(self.after.len() as u64)
    }

    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = self.after.read_at(buffer, offset)?;
        if offset == AT as u64 {
            // The segment is found by a reading of its own.
            let reading = self.readings.get().checked_sub(1);
            self.readings.set(self.readings.get() + 1);
            if let Some(bytes) = reading.and_then(|it| self.read_before.get(it)) {
                let before = &self.before[AT..AT + read];
                buffer[bytes.clone()].copy_from_slice(&before[bytes.clone()]);
            }
        }
        Ok(read)
    }
}

#[test]
fn a_header_of_two_rounds_is_read_again() {
    let before = part();
    let mut after = before.clone();
    for (at, value) in restart() {
        put(&mut after, AT + at, &value);
    }
    // After one record of the new round.
    put(&mut after, AT + COUNT, &1_u32.to_le_bytes());
    let record = AT + SEGMENT_HEADER_BYTES as usize;
    put(&mut after, record, &(2 * CAPACITY + 1).to_le_bytes());
    let all = SEGMENT_HEADER_BYTES as usize;
    for at in 0..=all {
        // The header is read from its beginning, or from its end, and the round begins in the first reading or in the second one.
        for read_before in [
            [0..at, 0..0],
            [at..all, 0..0],
            [0..all, 0..at],
            [0..all, at..all],
        ] {
            let source = Changing {
                before: &before,
                after: &after,
                read_before: read_before.clone(),
                readings: Cell::new(0),
            };
            let mut live = Live::open(source).unwrap();
            let segments = live.events().unwrap();
            // The first record, and those of the old round but for two.
            assert_eq!(
                found(&segments, &after),
                CAPACITY as usize - 2,
                "{read_before:?}"
            );
        }
    }
}
