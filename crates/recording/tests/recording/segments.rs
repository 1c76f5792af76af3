//! Segments: how many records fit, where they lie, and segments that contradict themselves.

use std::cell::Cell;
use std::io::{Seek, SeekFrom, Write};
use std::mem::offset_of;
use std::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{
    EventKind, EventWords, Header, LockKind, NO_OWNER, PAGE_BYTES, SEGMENT_HEADER_BYTES,
    SegmentHeader, SiteRecord,
};
use locktoll_recording::reader::{Problem, Recording};
use locktoll_recording::writer::{capacity_of, segment_bytes};

use crate::builder::{Builder, put};

const SITE_BYTES: u32 = size_of::<SiteRecord>() as u32;
/// How many sites fill a page, with nothing left over.
const SITES: u32 = ((PAGE_BYTES - SEGMENT_HEADER_BYTES) / SITE_BYTES as u64) as u32;

/// The last round is whole. Of the one before it, what has not been overwritten is left, but for two that may be half written.
#[test]
fn a_ring_that_began_again_has_the_events_of_two_rounds() {
    let lock = (LockKind::Mutex, 0x5000, 0);
    let event = |number: u64| EventWords::new(EventKind::Block, lock, 0, [number, number], 1);
    let events: Vec<EventWords> = (0..300).map(event).collect();
    let mut part = Builder::new(7, b"./server\0");
    part.ring(5, 100, &events);
    let bytes = part.bytes();
    let recording = Recording::from_bytes(&bytes).unwrap();
    let spans = recording.parts[0].events[0].spans();
    let runs = spans.map(|span| span.read(&bytes[..]).unwrap());
    let capacity = (PAGE_BYTES - SEGMENT_HEADER_BYTES) / 32;
    let begun = 300 / capacity * capacity;
    let left = begun - capacity + 300 % capacity + 2;
    for (run, numbers) in runs.iter().zip([left..begun, begun..300]) {
        assert_eq!((run.slot, run.first), (5, numbers.start));
        assert_eq!(run.events, numbers.map(event).collect::<Vec<_>>());
    }
}

#[test]
fn a_segment_is_of_whole_pages_and_takes_what_fits() {
    assert_eq!(
        SEGMENT_HEADER_BYTES + u64::from(SITES * SITE_BYTES),
        PAGE_BYTES
    );
    for (records, pages) in [(0, 1), (1, 1), (SITES, 1), (SITES + 1, 2)] {
        let bytes = segment_bytes(records, SITE_BYTES);
        assert_eq!(bytes, pages * PAGE_BYTES, "{records}");
    }
    // Both are as large as their fields allow: the product has 64 bits.
    let most = u64::from(u32::MAX) * u64::from(u32::MAX);
    assert!(segment_bytes(u32::MAX, u32::MAX) > most);
    let head = SEGMENT_HEADER_BYTES;
    for (bytes, expected) in [
        (0, 0),
        (head - 1, 0),
        (head, 0),
        (head + 31, 0),
        (head + 32, 1),
        (head + 95, 2),
        (PAGE_BYTES, SITES),
        (head + 32 * u64::from(u32::MAX - 1), u32::MAX - 1),
        (u64::MAX, u32::MAX),
    ] {
        assert_eq!(capacity_of(bytes, 32), expected, "{bytes}");
    }
}

#[test]
fn a_segment_takes_records_until_it_is_full() {
    let mut builder = Builder::new(1, b"");
    let mut sites = builder.segment::<SiteRecord>(NO_OWNER, SITES, 0);
    assert_eq!((sites.bytes(), sites.tail_bytes()), (PAGE_BYTES, 0));
    for id in 1..=SITES {
        assert_eq!(sites.room(), SITES + 1 - id);
        let record = sites.append(|site| site.id.store(id, Relaxed));
        assert!(record.is_some());
    }
    assert_eq!(sites.room(), 0);
    let is_filled = Cell::new(false);
    assert!(sites.append(|_| is_filled.set(true)).is_none());
    assert!(!is_filled.get(), "there is nothing to fill");
    let part = &Recording::from_bytes(&builder.bytes()).unwrap().parts[0];
    let ids: Vec<u32> = part.sites.iter().map(|site| site.id).collect();
    assert_eq!(ids, (1..=SITES).collect::<Vec<_>>());
}

#[test]
fn records_with_a_tail_lie_behind_each_other() {
    let mut builder = Builder::new(1, b"");
    let mut sites = builder.segment::<SiteRecord>(3, 2, 16);
    assert_eq!(sites.tail_bytes(), 16);
    for id in [7_u8, 9] {
        sites.append_with_tail(|site, tail| {
            assert_eq!(tail.len(), 16);
            site.id.store(id.into(), Relaxed);
            tail.iter().for_each(|byte| byte.store(id, Relaxed));
        });
    }
    let bytes = builder.bytes();
    let segment = &bytes[PAGE_BYTES as usize..];
    let field = |at: usize| u32::from_le_bytes(segment[at..at + 4].try_into().unwrap());
    assert_eq!(field(offset_of!(SegmentHeader, owner)), 3);
    assert_eq!(
        field(offset_of!(SegmentHeader, record_bytes)),
        SITE_BYTES + 16
    );
    assert_eq!(field(offset_of!(SegmentHeader, count)), 2);
    let (head, site) = (SEGMENT_HEADER_BYTES as usize, SITE_BYTES as usize);
    for (begin, id) in [(head, 7), (head + site + 16, 9)] {
        assert_eq!(field(begin + offset_of!(SiteRecord, id)), u32::from(id));
        assert_eq!(segment[begin + site..][..16], [id; 16]);
    }
}

/// A part with a segment of `count` sites, changed at `offset` of its segment's header.
fn changed(count: u32, offset: usize, value: &[u8]) -> Recording {
    let mut builder = Builder::new(1, b"");
    builder.sites(count, 0);
    let mut bytes = builder.bytes();
    put(&mut bytes, PAGE_BYTES as usize + offset, value);
    Recording::from_bytes(&bytes).unwrap()
}

#[test]
fn the_lengths_of_a_segment_are_checked_to_the_last_record() {
    const CAPACITY: usize = offset_of!(SegmentHeader, capacity);
    const COUNT: usize = offset_of!(SegmentHeader, count);
    const RECORD_BYTES: usize = offset_of!(SegmentHeader, record_bytes);
    for (offset, value, expected) in [
        (CAPACITY, SITES, None),
        (CAPACITY, SITES + 1, Some("do not fit")),
        (CAPACITY, 2, Some("claims more records")),
        (COUNT, SITES, None),
        (COUNT, SITES + 1, Some("claims more records")),
        (RECORD_BYTES, 0, Some("do not fit")),
        (RECORD_BYTES, SITE_BYTES + 1, Some("do not fit")),
    ] {
        let recording = changed(3, offset, &value.to_le_bytes());
        let said = recording.warnings.iter().find_map(|it| match it.problem {
            Problem::Corrupt { what } => Some(what),
            _ => None,
        });
        match (said, expected) {
            (None, None) => {}
            (Some(said), Some(expected)) => assert!(said.contains(expected), "{said}"),
            _ => panic!("{offset}, {value}: {said:?}"),
        }
        let is_read = !recording.parts[0].sites.is_empty();
        assert_eq!(is_read, expected.is_none(), "{offset}, {value}");
    }
    for bytes in [0, 64, PAGE_BYTES - 1, PAGE_BYTES + 64] {
        let recording = changed(3, offset_of!(SegmentHeader, bytes), &bytes.to_le_bytes());
        let what = "a segment gives an impossible length";
        assert_eq!(recording.warnings[0].problem, Problem::Corrupt { what });
    }
}

#[test]
fn a_file_that_ends_within_a_record_yields_those_before_it() {
    let mut builder = Builder::new(1, b"");
    builder.sites(5, 0);
    let bytes = builder.bytes();
    let first = PAGE_BYTES as usize + SEGMENT_HEADER_BYTES as usize;
    let site = SITE_BYTES as usize;
    for (length, expected) in [
        (first, 0),
        (first + site - 1, 0),
        (first + site, 1),
        (first + 4 * site + 1, 4),
        (first + 5 * site, 5),
        (first + 6 * site, 5),
    ] {
        let recording = Recording::from_bytes(&bytes[..length]).unwrap();
        assert_eq!(recording.parts[0].sites.len(), expected, "{length}");
    }
}

#[test]
fn so_many_pages_that_were_never_begun_are_passed_and_no_more() {
    const GAP_PAGES: u64 = 1 << 16;
    let mut builder = Builder::new(1, b"");
    builder.sites(3, 0);
    let bytes = builder.bytes();
    let (header, segment) = bytes.split_at(PAGE_BYTES as usize);
    for (pages, expected) in [(GAP_PAGES, 3), (GAP_PAGES + 1, 0)] {
        let end = (pages + 2) * PAGE_BYTES;
        let mut header = header.to_vec();
        put(&mut header, offset_of!(Header, end), &end.to_le_bytes());
        // The gap takes no room on the disk.
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&header).unwrap();
        file.seek(SeekFrom::Start(end - PAGE_BYTES)).unwrap();
        file.write_all(segment).unwrap();
        let recording = Recording::read(&file).unwrap();
        assert_eq!(recording.parts[0].sites.len(), expected, "{pages}");
        let said: Vec<u64> = recording.warnings.iter().map(|it| it.offset).collect();
        // Where the walk ends: at the page after the last that it passes.
        let given_up = PAGE_BYTES + GAP_PAGES * PAGE_BYTES;
        let expected = if pages > GAP_PAGES {
            vec![given_up]
        } else {
            vec![]
        };
        assert_eq!(said, expected, "{pages}");
    }
}
