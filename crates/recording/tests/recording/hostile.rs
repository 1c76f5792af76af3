//! Whatever the bytes are, the reader neither panics nor hangs nor uses unlimited memory.

use std::fs::File;
use std::io::Write;
use std::mem::offset_of;
use std::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{
    CountRecord, Header, PAGE_BYTES, SEGMENT_HEADER_BYTES, SegmentHeader,
};
use locktoll_recording::reader::{Problem, ReadError, Recording};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::builder::{sample, store};
use crate::exercise::exercise;

#[test]
fn a_file_cut_off_at_any_length_yields_what_is_there() {
    let bytes = sample(1).bytes();
    let whole = Recording::from_bytes(&bytes).unwrap();
    for length in 0..bytes.len() {
        let cut = &bytes[..length];
        match Recording::from_bytes(cut) {
            Err(error) => {
                assert!(length < PAGE_BYTES as usize, "{length}: {error}");
                assert!(
                    matches!(error, ReadError::Truncated { .. }),
                    "{length}: {error}"
                );
            }
            Ok(recording) => {
                assert!(length >= PAGE_BYTES as usize);
                let truncated = |problem: &Problem| matches!(problem, Problem::Truncated { .. });
                let mut problems = recording.warnings.iter().map(|warning| &warning.problem);
                assert!(problems.all(truncated) && !recording.warnings.is_empty());
                assert!(recording.parts[0].counts.len() <= whole.parts[0].counts.len());
            }
        }
        exercise(cut);
    }
}

#[test]
fn a_segment_that_reaches_over_the_end_of_its_part_takes_nothing_of_the_next() {
    const RECORD_BYTES: u64 = size_of::<CountRecord>() as u64;
    let mut builder = sample(1);
    let counted = 1;
    let begin = builder.header().end.load(Relaxed);
    let records = (2 * PAGE_BYTES / RECORD_BYTES) as u32;
    let mut segment = builder.segment::<CountRecord>(1, records, 0);
    for record in 1..=records {
        segment.append(|count| {
            store!(
                count,
                lock = 0x9000 + u64::from(record),
                kind = 1,
                entry = 1
            );
        });
    }
    let length = builder.header().end.load(Relaxed) - begin;
    // The part ends one page into it, and another follows there.
    let end = begin + PAGE_BYTES;
    builder.header().end.store(end, Relaxed);
    let mut bytes = builder.bytes();
    bytes.truncate(end as usize);
    bytes.extend(sample(2).bytes());

    let recording = Recording::from_bytes(&bytes).unwrap();
    let [cut, whole] = &recording.parts[..] else {
        panic!("{} parts", recording.parts.len());
    };
    let there = (PAGE_BYTES - SEGMENT_HEADER_BYTES) / RECORD_BYTES;
    assert_eq!(cut.counts.len() as u64, counted + there);
    assert_eq!((whole.process.pid, whole.counts.len() as u64), (2, counted));
    let [warning] = &recording.warnings[..] else {
        panic!("{:?}", recording.warnings);
    };
    assert_eq!(warning.offset, end);
    let missing_bytes = length - PAGE_BYTES;
    assert_eq!(warning.problem, Problem::Truncated { missing_bytes });
}

#[test]
fn what_is_not_a_recording_is_said_to_be_none() {
    for bytes in [&b"#!/bin/sh\nexit 0\n"[..], &[0; 8192], b"LOCKTALL........"] {
        let error = Recording::from_bytes(bytes).unwrap_err();
        assert!(
            matches!(error, ReadError::NotARecording { offset: 0 }),
            "{error}"
        );
    }
    let empty = Recording::from_bytes(b"").unwrap_err();
    assert!(matches!(empty, ReadError::Truncated { available: 0, .. }));
}

#[test]
fn a_segment_that_cannot_be_is_said_and_the_next_part_is_read() {
    for (offset, what) in [
        (offset_of!(SegmentHeader, magic), "begin"),
        (offset_of!(SegmentHeader, bytes), "length"),
        (offset_of!(SegmentHeader, record_bytes), "fit"),
        (offset_of!(SegmentHeader, capacity), "fit"),
        (offset_of!(SegmentHeader, count), "claims"),
    ] {
        let mut bytes = sample(1).bytes();
        let field = PAGE_BYTES as usize + offset;
        bytes[field..field + 4].copy_from_slice(&0x7fff_fff1_u32.to_le_bytes());
        bytes.extend(sample(2).bytes());
        let recording = Recording::from_bytes(&bytes).unwrap();
        assert_eq!(recording.parts.len(), 2);
        assert_eq!(recording.parts[1].counts.len(), 1);
        let [warning] = &recording.warnings[..] else {
            panic!("{:?}", recording.warnings);
        };
        assert_eq!(warning.offset, PAGE_BYTES);
        assert!(warning.to_string().contains(what), "{warning}");
    }
}

#[test]
fn a_sparse_file_of_a_terabyte_is_read_in_no_time() {
    let mut header = sample(1).bytes();
    header.truncate(PAGE_BYTES as usize);
    let end = offset_of!(Header, end);
    header[end..end + 8].copy_from_slice(&(1_u64 << 40).to_le_bytes());
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&header).unwrap();
    file.set_len(1 << 40).unwrap();
    let recording = Recording::read::<File>(&file).unwrap();
    let [warning] = &recording.warnings[..] else {
        panic!("{:?}", recording.warnings);
    };
    assert!(
        matches!(warning.problem, Problem::Corrupt { .. }),
        "{warning}"
    );
}

#[test]
fn a_segment_of_two_billion_empty_records_takes_no_memory() {
    let mut bytes = sample(1).bytes();
    bytes.truncate(PAGE_BYTES as usize + 64);
    let end = offset_of!(Header, end);
    bytes[end..end + 8].copy_from_slice(&(1_u64 << 40).to_le_bytes());
    let segment = &mut bytes[PAGE_BYTES as usize..];
    let mut put = |offset: usize, value: &[u8]| {
        segment[offset..offset + value.len()].copy_from_slice(value);
    };
    put(offset_of!(SegmentHeader, kind), &5_u16.to_le_bytes());
    put(
        offset_of!(SegmentHeader, record_bytes),
        &32_u32.to_le_bytes(),
    );
    put(
        offset_of!(SegmentHeader, capacity),
        &(1_u32 << 31).to_le_bytes(),
    );
    put(
        offset_of!(SegmentHeader, count),
        &(1_u32 << 31).to_le_bytes(),
    );
    put(
        offset_of!(SegmentHeader, bytes),
        &((1_u64 << 40) - PAGE_BYTES).to_le_bytes(),
    );
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(&bytes).unwrap();
    file.set_len(1 << 40).unwrap();
    let recording = Recording::read::<File>(&file).unwrap();
    assert_eq!(recording.parts[0].counts.len(), 0);
    let [warning] = &recording.warnings[..] else {
        panic!("{:?}", recording.warnings);
    };
    let count = 1 << 31;
    assert!(matches!(warning.problem, Problem::BadRecords { count: bad, .. } if bad == count));
}

proptest! {
    // What the fuzz target does for hours, for a moment in every run.
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_are_read_without_a_panic(bytes in vec(any::<u8>(), 0..10_000)) {
        exercise(&bytes);
    }

    #[test]
    fn a_damaged_recording_is_read_without_a_panic(
        damage in vec((any::<prop::sample::Index>(), any::<u8>()), 1..20),
        in_headers in vec((0_usize..24, 0_usize..64, any::<u8>()), 0..8),
        length in any::<prop::sample::Index>(),
    ) {
        let mut bytes = sample(1).bytes();
        bytes.extend(sample(2).bytes());
        for (place, value) in damage {
            let place = place.index(bytes.len());
            bytes[place] = value;
        }
        // Most of the bytes are padding: aim at the beginnings of pages as well.
        for (page, offset, value) in in_headers {
            bytes[page * PAGE_BYTES as usize + offset] = value;
        }
        exercise(&bytes);
        bytes.truncate(length.index(bytes.len()));
        exercise(&bytes);
    }
}
