//! This version reads a later version's parts as far as it can.

use std::mem::offset_of;
use std::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{CountRecord, Header, MINOR, PAGE_BYTES, SegmentHeader};
use locktoll_recording::reader::{Problem, ReadError, Recording};

use crate::builder::{Builder, sample};

#[test]
fn a_newer_major_version_is_refused_with_both_versions_named() {
    let mut builder = sample(1);
    builder.header().major.store(2, Relaxed);
    builder.header().minor.store(3, Relaxed);
    let error = Recording::from_bytes(&builder.bytes()).unwrap_err();
    assert!(matches!(
        error,
        ReadError::NewerVersion { major: 2, minor: 3 }
    ));
    let text = error.to_string();
    assert!(text.contains("2.3") && text.contains("up to 1.x"), "{text}");
}

#[test]
fn a_newer_minor_version_is_read() {
    let mut builder = sample(1);
    builder.header().minor.store(9, Relaxed);
    let recording = Recording::from_bytes(&builder.bytes()).unwrap();
    assert_eq!(recording.parts[0].counts.len(), 1);
    assert_eq!(recording.parts[0].process.format, (1, 9));
}

#[test]
fn a_newer_part_behind_one_of_ours_is_left_out_and_said() {
    let mut newer = sample(2);
    newer.header().major.store(2, Relaxed);
    let mut bytes = sample(1).bytes();
    bytes.extend(newer.bytes());
    let recording = Recording::from_bytes(&bytes).unwrap();
    assert_eq!(recording.parts.len(), 1);
    let [warning] = &recording.warnings[..] else {
        panic!("{:?}", recording.warnings);
    };
    assert_eq!(
        warning.problem,
        Problem::UnreadablePart {
            major: 2,
            minor: MINOR
        }
    );
}

#[test]
fn another_machine_s_recording_is_refused() {
    let mut builder = sample(1);
    builder.header().byte_order.store(0x0102_0304, Relaxed);
    let error = Recording::from_bytes(&builder.bytes()).unwrap_err();
    assert!(matches!(error, ReadError::ForeignMachine));
}

#[test]
fn a_longer_record_is_read_by_its_beginning() {
    let mut builder = Builder::new(1, b"");
    let mut segment = builder.segment::<CountRecord>(1, 3, 24);
    for lock in 1..=3 {
        segment.append_with_tail(|count, tail| {
            count.lock.store(lock, Relaxed);
            count.acquisitions.store(10 * lock, Relaxed);
            count.kind.store(1, Relaxed);
            count.entry.store(1, Relaxed);
            tail.iter().for_each(|byte| byte.store(0xff, Relaxed));
        });
    }
    let recording = Recording::from_bytes(&builder.bytes()).unwrap();
    assert_eq!(recording.warnings, []);
    let counts = recording.parts[0].counts.iter();
    let acquisitions: Vec<u64> = counts.map(|count| count.acquisitions).collect();
    assert_eq!(acquisitions, [10, 20, 30]);
}

#[test]
fn a_segment_of_an_unknown_kind_is_passed_over() {
    let mut builder = Builder::new(1, b"");
    let mut unknown = builder.segment::<CountRecord>(1, 1, 0);
    unknown.append(|count| count.lock.store(1, Relaxed));
    let mut bytes = builder.bytes();
    let kind = PAGE_BYTES as usize + offset_of!(SegmentHeader, kind);
    bytes[kind..kind + 2].copy_from_slice(&999_u16.to_le_bytes());
    // And one that is known behind it.
    let tail = &sample(1).bytes()[PAGE_BYTES as usize..];
    bytes.extend_from_slice(tail);
    let end = bytes.len() as u64;
    let field = offset_of!(Header, end);
    bytes[field..field + 8].copy_from_slice(&end.to_le_bytes());
    let recording = Recording::from_bytes(&bytes).unwrap();
    assert_eq!(recording.warnings, []);
    assert_eq!(recording.parts[0].counts.len(), 1);
}

#[test]
fn a_segment_reserved_and_never_begun_is_stepped_over() {
    let mut bytes = sample(1).bytes();
    let tail = bytes.split_off(PAGE_BYTES as usize);
    bytes.extend_from_slice(&[0; 3 * PAGE_BYTES as usize]);
    bytes.extend_from_slice(&tail);
    let end = bytes.len() as u64;
    let field = offset_of!(Header, end);
    bytes[field..field + 8].copy_from_slice(&end.to_le_bytes());
    let recording = Recording::from_bytes(&bytes).unwrap();
    assert_eq!(recording.warnings, []);
    assert_eq!(recording.parts[0].counts.len(), 1);
}
