//! Parts without their unused room.

use std::mem::offset_of;

use locktoll_recording::appendix::Appendix;
use locktoll_recording::layout::{
    Header, NO_OWNER, PAGE_BYTES, SEGMENT_HEADER_BYTES, SegmentHeader, SiteRecord, ThreadRecord,
};
use locktoll_recording::reader::{Modules, Recording, append_compacted};
use locktoll_recording::writer::segment_bytes;
use proptest::prelude::*;

use super::builder::{Builder, put, sample, store};

fn compacted(part: &[u8], modules: Modules) -> Vec<u8> {
    let mut bytes = Vec::new();
    append_compacted(&mut bytes, part, &Appendix::default(), modules).unwrap();
    bytes
}

#[test]
fn nothing_is_lost_but_room() {
    let whole = sample(7).bytes();
    let compact = compacted(&whole, Modules::IfCalledFrom);
    let read = |bytes: &[u8]| {
        let recording = Recording::from_bytes(bytes).unwrap();
        assert_eq!(recording.warnings, []);
        format!("{:#?}", recording.parts)
    };
    assert_eq!(read(&compact), read(&whole));
    assert!(compact.len() <= whole.len());
    assert_eq!(compacted(&compact, Modules::IfCalledFrom), compact);
}

#[test]
fn a_process_that_used_no_lock_leaves_its_life_alone() {
    let mut builder = Builder::new(7, b"true");
    builder.module(1, b"/usr/bin/true");
    let mut lives = builder.segment::<ThreadRecord>(NO_OWNER, 100, 0);
    lives.append(|thread| store!(thread, tid = 7, start_ns = 2_500));
    let whole = builder.bytes();
    let compact = compacted(&whole, Modules::IfCalledFrom);
    assert_eq!(
        compact.len() as u64,
        2 * PAGE_BYTES,
        "the header, and a life"
    );
    let part = &Recording::from_bytes(&compact).unwrap().parts[0];
    assert_eq!((part.threads[0].tid, part.modules.len()), (7, 0));
    let all = compacted(&whole, Modules::All);
    assert!(
        !Recording::from_bytes(&all).unwrap().parts[0]
            .modules
            .is_empty()
    );
}

#[test]
fn a_part_that_is_damaged_or_cut_off_stays_as_it_is() {
    let whole = sample(7).bytes();
    let cut = &whole[..whole.len() - PAGE_BYTES as usize];
    assert_eq!(compacted(cut, Modules::IfCalledFrom).len(), cut.len());
    let mut damaged = whole;
    damaged[PAGE_BYTES as usize] ^= 1;
    let appended = compacted(&damaged, Modules::IfCalledFrom);
    assert_eq!(appended.len(), damaged.len());
    let warnings = Recording::from_bytes(&appended).unwrap().warnings;
    assert_eq!(warnings.len(), 1, "a reader still sees the damage");
}

/// Returns a part with a thread in a segment for many of them, between two `gap`s of pages that were never begun.
fn roomy(gap: usize) -> Vec<u8> {
    let mut builder = Builder::new(7, b"");
    // Nobody has put a site into it.
    builder.segment::<SiteRecord>(NO_OWNER, 300, 0);
    let mut lives = builder.segment::<ThreadRecord>(NO_OWNER, 100, 0);
    lives.append(|thread| store!(thread, tid = 9, start_ns = 2_500));
    let mut bytes = builder.bytes();
    let segments = bytes.split_off(PAGE_BYTES as usize);
    let zeros = vec![0; gap * PAGE_BYTES as usize];
    bytes.extend([&zeros[..], &segments, &zeros].concat());
    let end = bytes.len() as u64;
    put(&mut bytes, offset_of!(Header, end), &end.to_le_bytes());
    bytes
}

#[test]
fn pages_that_were_never_begun_and_segments_without_records_are_left_out() {
    for gap in [0, 1, 3] {
        let compact = compacted(&roomy(gap), Modules::All);
        assert_eq!(compact.len() as u64, 2 * PAGE_BYTES, "{gap}");
        let recording = Recording::from_bytes(&compact).unwrap();
        assert_eq!(recording.warnings, []);
        assert_eq!(recording.parts[0].threads[0].tid, 9);
    }
}

#[test]
fn only_a_part_of_a_mebibyte_or_less_is_compacted() {
    let pages = |bytes: &[u8]| bytes.len() / PAGE_BYTES as usize;
    let needed = pages(&roomy(0));
    for (length, expected) in [(256, 2), (258, 258)] {
        let part = roomy((length - needed) / 2);
        assert_eq!(pages(&part), length, "the number of pages is even");
        assert_eq!(pages(&compacted(&part, Modules::All)), expected);
    }
}

#[test]
fn a_part_with_a_segment_that_contradicts_itself_stays_as_it_is() {
    let mut builder = Builder::new(7, b"");
    builder.sites(3, 0);
    let mut lives = builder.segment::<ThreadRecord>(NO_OWNER, 100, 0);
    lives.append(|thread| store!(thread, tid = 9, start_ns = 2_500));
    let length = lives.bytes();
    let whole = builder.bytes();
    assert!(compacted(&whole, Modules::All).len() < whole.len());
    let (first, second) = (PAGE_BYTES as usize, 2 * PAGE_BYTES as usize);
    let too_many = (PAGE_BYTES - SEGMENT_HEADER_BYTES) / size_of::<SiteRecord>() as u64 + 1;
    // It would take records of the next segment.
    assert_eq!(segment_bytes(too_many as u32, 32), 2 * PAGE_BYTES);
    for (segment, offset, value) in [
        (first, offset_of!(SegmentHeader, magic), 0),
        (first, offset_of!(SegmentHeader, record_bytes), 0),
        (first, offset_of!(SegmentHeader, count), too_many),
        (second, offset_of!(SegmentHeader, magic), 0),
        // The header of a segment behind it would be zeros.
        (second, offset_of!(SegmentHeader, bytes), length - 64),
        (
            second,
            offset_of!(SegmentHeader, bytes),
            length + PAGE_BYTES,
        ),
    ] {
        let mut damaged = whole.clone();
        put(
            &mut damaged,
            segment + offset,
            &(value as u32).to_le_bytes(),
        );
        assert_eq!(compacted(&damaged, Modules::All), damaged, "{offset}");
    }
}

proptest! {
    #[test]
    fn whatever_a_part_says_it_is_appended_or_refused(
        damages in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = sample(7).bytes();
        for (place, byte) in damages {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let mut appended = Vec::new();
        let modules = Modules::IfCalledFrom;
        if append_compacted(&mut appended, &bytes[..], &Appendix::default(), modules).is_ok() {
            prop_assert!((appended.len() as u64).is_multiple_of(PAGE_BYTES));
            prop_assert!(appended.len() <= bytes.len());
        }
    }
}
