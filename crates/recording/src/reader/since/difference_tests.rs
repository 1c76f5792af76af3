//! Differences of parts that are made here record by record.

use core::mem::offset_of;

use super::super::raw::Group;
use super::*;
use crate::layout::{
    BYTE_ORDER, ContentionRecord, CountRecord, EntryPoint, Header, HoldRecord, LockKind, MAGIC,
    MAJOR, MINOR, PAGE_BYTES, POOLED, call_number,
};
use crate::reader::Recording;

/// A record of a lock: its address, generation and birth, and words by their places.
fn record(bytes: usize, lock: (u64, u32, u32), words: &[(usize, u64)]) -> Vec<u8> {
    let mut record = std::vec![0; bytes];
    put(
        &mut record,
        offset_of!(CountRecord, lock),
        &lock.0.to_le_bytes(),
    );
    put(
        &mut record,
        offset_of!(CountRecord, generation),
        &lock.1.to_le_bytes(),
    );
    put(
        &mut record,
        offset_of!(CountRecord, birth),
        &lock.2.to_le_bytes(),
    );
    record[offset_of!(CountRecord, kind)] = LockKind::Mutex.number();
    record[offset_of!(CountRecord, entry)] = EntryPoint::Lock.number();
    for (at, word) in words {
        put(&mut record, *at, &word.to_le_bytes());
    }
    record
}

fn count(lock: (u64, u32, u32), acquisitions: u64) -> Vec<u8> {
    record(size_of::<CountRecord>(), lock, &[(8, acquisitions)])
}

/// A part with these records of one owner.
fn part(records: &[(RecordKind, Vec<u8>)]) -> RawPart {
    let mut page = std::vec![0; PAGE_BYTES as usize];
    put(&mut page, offset_of!(Header, magic), &MAGIC.to_le_bytes());
    put(&mut page, offset_of!(Header, major), &MAJOR.to_le_bytes());
    put(&mut page, offset_of!(Header, minor), &MINOR.to_le_bytes());
    put(
        &mut page,
        offset_of!(Header, header_bytes),
        &(PAGE_BYTES as u32).to_le_bytes(),
    );
    put(
        &mut page,
        offset_of!(Header, byte_order),
        &BYTE_ORDER.to_le_bytes(),
    );
    page[offset_of!(Header, word_bytes)] = 8;
    put(&mut page, offset_of!(Header, pid), &7_u32.to_le_bytes());
    put(
        &mut page,
        offset_of!(Header, start_monotonic_ns),
        &100_u64.to_le_bytes(),
    );
    put(
        &mut page,
        offset_of!(Header, end),
        &PAGE_BYTES.to_le_bytes(),
    );
    put(&mut page, offset_of!(Header, user_ns), &5_u64.to_le_bytes());
    let mut part = RawPart::read_all(&page[..]).unwrap().remove(0);
    for (kind, bytes) in records {
        part.groups.push(Group {
            kind: *kind,
            owner: 3,
            record_bytes: bytes.len(),
            bytes: bytes.clone(),
        });
    }
    // Through bytes, as in life.
    RawPart::read_all(&part.bytes()[..]).unwrap().remove(0)
}

const INTERVAL: Interval = Interval {
    began_ns: Some((500, 50_000)),
    now_ns: Some(900),
};

fn read(part: &RawPart) -> crate::reader::Part {
    let mut recording = Recording::from_bytes(&part.bytes()).unwrap();
    assert_eq!(recording.warnings, []);
    recording.parts.remove(0)
}

fn acquisitions(part: &RawPart) -> Vec<(u64, u64)> {
    let counts = read(part).counts;
    counts
        .iter()
        .map(|it| (it.lock_address, it.acquisitions))
        .collect()
}

const A: (u64, u32, u32) = (0x1000, 1, 9);
const B: (u64, u32, u32) = (0x2000, 1, 9);
/// The lock that lives where A did.
const A_NEXT: (u64, u32, u32) = (0x1000, 2, 9);
const ALL: (u64, u32, u32) = (POOLED, 9, 9);

fn counts(all: &[((u64, u32, u32), u64)]) -> RawPart {
    let records: Vec<_> = all
        .iter()
        .map(|&(lock, acquisitions)| (RecordKind::Count, count(lock, acquisitions)))
        .collect();
    part(&records)
}

#[test]
fn looks_one_after_the_other_add_up_and_what_did_not_change_is_left_out() {
    let looks = [
        counts(&[(A, 10)]),
        counts(&[(A, 15), (B, 1)]),
        counts(&[(A, 15), (B, 1)]),
        counts(&[(A, 18), (B, 4)]),
    ];
    let wanted = [
        [(A.0, 10)].to_vec(),
        [(A.0, 5), (B.0, 1)].to_vec(),
        Vec::new(),
        [(A.0, 3), (B.0, 3)].to_vec(),
    ];
    let mut reported: Option<RawPart> = None;
    for (look, wanted) in looks.iter().zip(wanted) {
        let found = since(look, reported.as_ref(), INTERVAL);
        assert_eq!(acquisitions(&found.difference), wanted);
        reported = Some(found.reported);
    }
}

#[test]
fn what_was_reported_of_a_lock_that_has_gone_is_not_reported_again() {
    let first = since(&counts(&[(A, 10)]), None, INTERVAL).reported;
    // Its record serves the next lock at its address, and its ten acquisitions are now in the record of all.
    let now = counts(&[(A_NEXT, 2), (ALL, 11)]);
    let second = since(&now, Some(&first), INTERVAL);
    assert_eq!(acquisitions(&second.difference), [(A.0, 2), (POOLED, 1)]);
    let third = since(&now, Some(&second.reported), INTERVAL);
    assert_eq!(acquisitions(&third.difference), []);
}

#[test]
fn figures_that_were_on_their_way_when_the_part_was_read_are_reported_once() {
    let first = since(&counts(&[(A, 10), (ALL, 5)]), None, INTERVAL).reported;
    // They have left the one record, and are not in the other yet.
    let moving = since(&counts(&[(A_NEXT, 0), (ALL, 5)]), Some(&first), INTERVAL);
    assert_eq!(acquisitions(&moving.difference), []);
    let there = since(
        &counts(&[(A_NEXT, 3), (ALL, 15)]),
        Some(&moving.reported),
        INTERVAL,
    );
    assert_eq!(acquisitions(&there.difference), [(A.0, 3)]);
    // The same before the record of all could be seen.
    let unseen = since(&counts(&[(A_NEXT, 0)]), Some(&counts(&[(A, 10)])), INTERVAL);
    let seen = since(
        &counts(&[(A_NEXT, 0), (ALL, 12)]),
        Some(&unseen.reported),
        INTERVAL,
    );
    assert_eq!(acquisitions(&seen.difference), [(POOLED, 2)]);
}

#[test]
fn the_longest_wait_of_an_interval_is_known_or_bounded() {
    let wait = |longest: u64, short: u64, long: u64| {
        let histogram = offset_of!(ContentionRecord, wait_histogram);
        let words = [
            (offset_of!(ContentionRecord, contended), short + long),
            (offset_of!(ContentionRecord, wait_max_ns), longest),
            (histogram + 8 * 4, short),
            (histogram + 8 * 9, long),
        ];
        let record = record(size_of::<ContentionRecord>(), A, &words);
        part(&[(RecordKind::Contention, record)])
    };
    let longest = |now: &RawPart, then: &RawPart| {
        let found = since(now, Some(then), INTERVAL).difference;
        let waits = read(&found).counts[0].contention.clone().unwrap();
        (waits.contended, waits.wait_max_ns)
    };
    // The new one is the longest of all, so it is known.
    assert_eq!(longest(&wait(700, 1, 2), &wait(600, 1, 1)), (1, 700));
    // Only short ones, of 16 to 31 ns, were added.
    assert_eq!(longest(&wait(600, 3, 1), &wait(600, 1, 1)), (2, 31));
    // One of 512 to 1,023 ns was added: it cannot have been longer than the longest of all.
    assert_eq!(longest(&wait(600, 1, 2), &wait(600, 1, 1)), (1, 600));
}

#[test]
fn calls_in_holds_are_found_by_their_function() {
    let calls = |first: (&str, u64), second: (&str, u64)| {
        let word = |(name, count): (&str, u64)| u64::from(call_number(name)) << 56 | count;
        let (at, ns) = (
            offset_of!(HoldRecord, calls),
            offset_of!(HoldRecord, call_ns),
        );
        let words = [
            (offset_of!(HoldRecord, system_calls), first.1 + second.1),
            (at, word(first)),
            (at + 8, word(second)),
            (ns, first.1 * 100),
            (ns + 8, second.1 * 100),
        ];
        part(&[(RecordKind::Hold, record(size_of::<HoldRecord>(), A, &words))])
    };
    let then = calls(("read", 3), ("write", 4));
    let now = calls(("write", 9), ("read", 3));
    let found = read(&since(&now, Some(&then), INTERVAL).difference);
    let found: Vec<_> = found.holds[0]
        .calls
        .iter()
        .filter(|it| it.count > 0)
        .map(|it| (it.number, it.count, it.total_ns))
        .collect();
    assert_eq!(found, [(call_number("write"), 5, 500)]);
}

#[test]
fn the_header_is_that_of_the_interval() {
    let process = |part: &RawPart| read(part).process;
    let whole = process(&since(&counts(&[(A, 1)]), None, INTERVAL).difference);
    assert_eq!(whole.start_monotonic_ns, 100);
    assert!(whole.usage.is_some());
    let then = counts(&[(A, 1)]);
    let piece = process(&since(&counts(&[(A, 2)]), Some(&then), INTERVAL).difference);
    assert_eq!(
        (piece.start_monotonic_ns, piece.start_realtime_ns),
        (500, 50_000)
    );
    assert_eq!(piece.end_monotonic_ns, Some(900));
    // That was used since the process began, and not in the interval.
    assert_eq!(piece.usage, None);
}

#[test]
fn a_life_is_cut_at_the_beginning_and_one_that_had_ended_is_left_out() {
    let thread = |tid: u32, ends_ns: u64, waited_ns: u64, cpu_ns: u64| {
        let mut record = std::vec![0; size_of::<ThreadRecord>()];
        put(
            &mut record,
            offset_of!(ThreadRecord, tid),
            &tid.to_le_bytes(),
        );
        for (at, word) in [
            (offset_of!(ThreadRecord, start_ns), 200),
            (offset_of!(ThreadRecord, end_ns), ends_ns),
            (offset_of!(ThreadRecord, lock_wait_ns), waited_ns),
            (offset_of!(ThreadRecord, cpu_ns), cpu_ns),
            (offset_of!(ThreadRecord, kernel_read_ns), ends_ns),
        ] {
            put(&mut record, at, &word.to_le_bytes());
        }
        (RecordKind::Thread, record)
    };
    let then = part(&[thread(1, 0, 10, 0), thread(2, 300, 10, 7)]);
    let now = part(&[
        thread(1, 800, 25, 7),
        thread(2, 300, 10, 7),
        thread(3, 0, 4, 0),
    ]);
    let found = read(&since(&now, Some(&then), INTERVAL).difference).threads;
    let found: Vec<_> = found
        .iter()
        .map(|it| (it.tid, it.start_ns, it.lock_wait_ns, it.kernel.is_some()))
        .collect();
    assert_eq!(found, [(1, 500, 15, false), (3, 200, 4, false)]);
}

/// A program that makes and destroys locks: each step counts an acquisition of one of three addresses, or lets the next lock come
/// to an address, whose counts then go to the record of all.
fn play(steps: &[(usize, bool)], now: &mut [((u64, u32, u32), u64); 4]) {
    for &(place, is_next) in steps {
        let (lock, figure) = &mut now[place];
        if is_next {
            lock.1 += 1;
            let gone = core::mem::take(figure);
            now[3].1 += gone;
        } else {
            *figure += 1;
        }
    }
}

proptest::proptest! {
    /// However locks come and go between the looks, the differences add up to what happened.
    #[test]
    fn differences_add_up(
        looks in proptest::collection::vec(
            proptest::collection::vec((0..3_usize, proptest::bool::weighted(0.2)), 0..20), 1..6),
    ) {
        let mut now = [((0x1000, 1, 9), 0), ((0x2000, 1, 9), 0), ((0x3000, 1, 9), 0), (ALL, 0)];
        let mut reported: Option<RawPart> = None;
        let (mut sum, mut done) = (0, 0);
        for steps in &looks {
            play(steps, &mut now);
            let look = since(&counts(&now), reported.as_ref(), INTERVAL);
            let new: u64 = acquisitions(&look.difference).iter().map(|it| it.1).sum();
            let acquired = steps.iter().filter(|it| !it.1).count() as u64;
            proptest::prop_assert_eq!(new, acquired);
            sum += new;
            done += acquired;
            reported = Some(look.reported);
        }
        proptest::prop_assert_eq!(sum, done);
    }

    /// No bytes make it fail, and what it makes is readable.
    #[test]
    fn any_bytes(now in proptest::collection::vec(0_u8.., 0..600), then in proptest::collection::vec(0_u8.., 0..600)) {
        let damaged = |noise: &[u8]| {
            let mut bytes = counts(&[(A, 10), (B, 2)]).bytes();
            for (at, byte) in noise.iter().enumerate() {
                let at = PAGE_BYTES as usize + at;
                bytes[at] ^= byte;
            }
            RawPart::read_all(&bytes[..]).unwrap().remove(0)
        };
        let found = since(&damaged(&now), Some(&damaged(&then)), INTERVAL);
        proptest::prop_assert!(Recording::from_bytes(&found.difference.bytes()).is_ok());
        proptest::prop_assert!(Recording::from_bytes(&found.reported.bytes()).is_ok());
    }
}

/// A thread that began at this time and runs.
fn thread(tid: u32, start_ns: u64) -> (RecordKind, Vec<u8>) {
    let mut record = std::vec![0; size_of::<ThreadRecord>()];
    put(&mut record, 0, &tid.to_le_bytes());
    let start = offset_of!(ThreadRecord, start_ns);
    put(&mut record, start, &start_ns.to_le_bytes());
    (RecordKind::Thread, record)
}

#[test]
fn a_life_that_is_no_longer_listed_is_reported_from_the_earlier_look_on() {
    let first = Interval {
        began_ns: None,
        now_ns: Some(500),
    };
    let then = since(&part(&[thread(5, 150)]), None, first).reported;
    let then = RawPart::read_all(&then.bytes()[..]).unwrap().remove(0);
    // The first thread lived until 850, and its record is another's now; one more lived for 20 ns.
    let mut now = part(&[thread(6, 860)]);
    let unlisted = offset_of!(Header, unlisted_ns);
    put(&mut now.header, unlisted, &720_u64.to_le_bytes());
    let found = since(&now, Some(&then), INTERVAL);
    let process = read(&found.difference).process;
    assert_eq!(process.unlisted_ns, Some((850 - 500) + 20));
    // What was reported is all of it.
    let again = since(&now, Some(&found.reported), INTERVAL).difference;
    assert_eq!(read(&again).process.unlisted_ns, Some(0));
}
