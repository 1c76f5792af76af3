//! Contents and their numbers, until there are no more of them.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering::Relaxed;

use locktoll_recording::layout::{Mode, Origin, StopReason};
use tempfile::TempDir;

use super::*;
use crate::sys::Errno;

/// Births without any, a part for their records, and its folder.
fn fixture() -> (Box<Births>, Box<Part>, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    // SAFETY: zeros are valid values of both.
    let (births, part) = unsafe {
        let births = Box::<Births>::new_zeroed().assume_init();
        (births, Box::<Part>::new_zeroed().assume_init())
    };
    let directory = folder.path().to_str().unwrap().as_bytes();
    part.create(directory, Origin::Exec, Mode::Sampled).unwrap();
    // SAFETY: N1: no other thread has them.
    unsafe { births.start() };
    (births, part, folder)
}

/// Returns the number of a birth at `site` whose contents have this hash.
fn number(births: &Births, part: &Part, hash: u64, site: u32) -> u32 {
    let wanted = Wanted {
        hash,
        is: |record: &BirthRecord| record.site.load(Relaxed) == site,
        fill: |record: &BirthRecord, id| {
            record.id.store(id, Relaxed);
            record.site.store(site, Relaxed);
        },
        first_records: 100,
    };
    // SAFETY: N1: no other thread has them.
    unsafe { births.intern(wanted, part) }
}

fn record(births: &Births, number: u32) -> Option<(u32, u32)> {
    // SAFETY: the number was handed out, or there is no record of it.
    let record = unsafe { births.record(number) }?;
    Some((record.id.load(Relaxed), record.site.load(Relaxed)))
}

fn dropped(part: &Part) -> u64 {
    let reason = usize::from(DropReason::StackTableFull.number());
    part.header().unwrap().dropped[reason].load(Relaxed)
}

#[test]
fn equal_contents_have_one_number_even_if_others_have_their_hash() {
    let (births, part, _folder) = fixture();
    // The last places of the table: a search goes on at its beginning.
    let last = (births.numbers.len() as u64 - 1) << 32;
    let contents = [
        (0, 7),
        (0, 8),
        (last, 9),
        (last, 10),
        (last, 11),
        (5 << 32, 12),
    ];
    for _ in 0..2 {
        for ((hash, site), expected) in contents.into_iter().zip(1..) {
            assert_eq!(number(&births, &part, hash, site), expected);
            assert_eq!(record(&births, expected), Some((expected, site)));
        }
    }
    assert_eq!((record(&births, 0), record(&births, 7)), (None, None));
    assert_eq!(record(&births, u32::MAX), None);
    assert_eq!(dropped(&part), 0);
}

#[test]
fn contents_after_the_last_number_are_dropped() {
    let (births, part, _folder) = fixture();
    let of = |site: u32| number(&births, &part, hash([u64::from(site)].into_iter()), site);
    let most = IDS as u32 - 1;
    assert!((1..=most).all(|site| of(site) == site));
    assert_eq!((dropped(&part), of(most)), (0, most));
    assert_eq!([of(most + 1), of(most + 2), of(most + 1)], [0; 3]);
    assert_eq!((dropped(&part), of(1), of(most)), (3, 1, most));
}

#[test]
fn a_part_that_takes_no_more_records_gives_no_more_numbers() {
    let (births, part, _folder) = fixture();
    assert_eq!(number(&births, &part, 3, 1), 1);
    part.stop(StopReason::NoSpace, Errno(libc::ENOSPC));
    // There is still room in the segment that was begun.
    let given = (2..200).map(|site| number(&births, &part, 3, site));
    let given: Vec<u32> = given.take_while(|&number| number != 0).collect();
    let last = given.len() as u32 + 1;
    assert!(given.into_iter().eq(2..=last) && last < 199);
    assert_eq!((dropped(&part), record(&births, last + 1)), (1, None));
    assert_eq!(number(&births, &part, 3, last), last);
}

#[test]
fn every_word_and_its_place_decide_the_hash() {
    let of = |words: &[u64]| hash(words.iter().copied());
    assert_eq!(of(&[1, 2, 3]), of(&[1, 2, 3]));
    let others: [&[u64]; 7] = [&[], &[0], &[1], &[1, 2], &[2, 1], &[1, 2, 3], &[1, 2, 0]];
    let distinct: BTreeSet<u64> = others.into_iter().map(of).collect();
    assert_eq!(distinct.len(), others.len());
}

#[test]
fn words_that_differ_in_a_few_bits_spread_over_the_table() {
    const MANY: u64 = 4_096;
    let places = 2 * IDS as u64;
    for shift in [0, 12, 24, 40] {
        let hashes = (0..MANY).map(|word| hash([word << shift, 1].into_iter()));
        let hashes: Vec<u64> = hashes.collect();
        let distinct = |of: fn(u64) -> u64| {
            let found: BTreeSet<u64> = hashes.iter().map(|&it| of(it)).collect();
            found.len() as u64
        };
        // By chance, one in 64 shares its place.
        let taken = distinct(|hash| hash >> 32 & (2 * IDS as u64 - 1));
        assert!(taken > MANY * 9 / 10, "{taken} of {places} places, {shift}");
        // The caches use the upper bits and the lower ones.
        let lower = distinct(|hash| hash & 0xffff_ffff);
        assert!(lower > MANY * 9 / 10, "{lower} with {shift}");
        let ones: u32 = hashes.iter().map(|hash| hash.count_ones()).sum();
        let mean = f64::from(ones) / MANY as f64;
        assert!((30.0..34.0).contains(&mean), "{mean} with {shift}");
    }
}
