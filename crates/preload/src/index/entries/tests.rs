//! A table as it fills, grows and is searched.

use locktoll_recording::layout::{CountRecord, EntryPoint, LockKind, StackWaitRecord};

use super::*;

const KEY: Key = Key {
    lock: 0x7f00_0000_0000,
    site: 0x40_1000,
    entry: EntryPoint::Lock,
    generation: 0,
    kind: LockKind::Mutex,
    birth: 0,
    other: 0,
};

/// Records and sites of a test live forever, as the mapped ones do.
fn record(key: Key, site: u32) -> &'static CountRecord {
    // SAFETY: zeros are a valid record.
    let record: &'static CountRecord = Box::leak(Box::new(unsafe { core::mem::zeroed() }));
    record.lock.store(key.lock as u64, Relaxed);
    record.site.store(site, Relaxed);
    record.generation.store(key.generation, Relaxed);
    record.entry.store(key.entry.number(), Relaxed);
    record
}

/// As above, of waits by stack, whose keys have another part.
fn wait(key: Key, site: u32) -> &'static StackWaitRecord {
    // SAFETY: zeros are a valid record.
    let record: &'static StackWaitRecord = Box::leak(Box::new(unsafe { core::mem::zeroed() }));
    record.lock.store(key.lock as u64, Relaxed);
    record.site.store(site, Relaxed);
    record.generation.store(key.generation, Relaxed);
    record.entry.store(key.entry.number(), Relaxed);
    record.set_other(key.other);
    record
}

fn fixture<R: Keyed>() -> (Index<R>, &'static SiteAddresses) {
    // SAFETY: zeros are valid values of all three.
    let (index, first, sites) = unsafe {
        let index: Index<R> = core::mem::zeroed();
        let first: &'static [Cell<u64>; 256] = Box::leak(Box::new(core::mem::zeroed()));
        let sites = Box::leak(Box::<SiteAddresses>::new_zeroed().assume_init());
        (index, first, &*sites)
    };
    index.start(first);
    (index, sites)
}

fn insert(index: &Index<CountRecord>, sites: &SiteAddresses, key: Key, site: u32) {
    if !index.has_room() {
        assert!(index.grow(sites));
    }
    index.insert(key, record(key, site));
}

#[test]
fn every_record_is_found_at_every_size_and_no_other() {
    // Dense arrays, page-aligned objects and a single lock: layouts that a table has to cope with.
    for stride in [40, 64, 4096, 1 << 20] {
        let (index, sites) = fixture();
        sites.set_for_test(1, 0x40_1000);
        sites.set_for_test(2, 0x40_2000);
        let key = |number: usize, site| Key {
            lock: KEY.lock + number * stride,
            site,
            ..KEY
        };
        for number in 0..5_000 {
            insert(&index, sites, key(number, 0x40_1000), 1);
            if number % 3 == 0 {
                insert(&index, sites, key(number, 0x40_2000), 2);
            }
        }
        for number in 0..5_000 {
            let found = index.find(key(number, 0x40_1000), sites).unwrap();
            assert_eq!(found.lock.load(Relaxed), key(number, 0).lock as u64);
            assert_eq!(found.site.load(Relaxed), 1);
            let second = index.find(key(number, 0x40_2000), sites);
            assert_eq!(second.is_some(), number % 3 == 0);
            let tried = Key {
                entry: EntryPoint::TryLock,
                ..key(number, 0x40_1000)
            };
            assert!(index.find(tried, sites).is_none());
        }
        assert!(index.find(key(5_000, 0x40_1000), sites).is_none());
    }
}

#[test]
fn a_table_of_zeros_has_nothing_in_it() {
    let (_, sites) = fixture::<CountRecord>();
    // SAFETY: zeros are the table that a forked child finds.
    let wiped: Index<CountRecord> = unsafe { core::mem::zeroed() };
    assert!(!wiped.is_started() && wiped.find(KEY, sites).is_none());
    assert!(wiped.find_one_of_many_gone(KEY, sites, 0).is_none());
    assert!(!wiped.grow(sites));
    wiped.insert(KEY, record(KEY, 1));
    assert_eq!((wiped.used(), wiped.find(KEY, sites).is_none()), (0, true));
}

#[test]
fn a_table_takes_records_until_three_quarters_are_used() {
    let (index, sites) = fixture::<CountRecord>();
    sites.set_for_test(1, KEY.site);
    assert!(index.is_started());
    let key = |number: u32| Key {
        lock: KEY.lock + 64 * number as usize,
        ..KEY
    };
    for (first, end) in [(0, 192), (192, 384), (384, 768)] {
        for number in first..end {
            assert_eq!((index.used(), index.has_room()), (number, true));
            index.insert(key(number), record(key(number), 1));
        }
        assert_eq!((index.used(), index.has_room()), (end, false));
        assert!(index.grow(sites));
    }
    // Another thread begins with the table in the structure.
    let first: &'static [Cell<u64>; 256] = Box::leak(Box::new([const { Cell::new(0) }; 256]));
    index.start(first);
    assert_eq!((index.used(), index.length()), (0, 256));
    assert!(index.find(key(0), sites).is_none());
}

#[test]
fn a_table_that_was_replaced_is_empty() {
    let (index, sites) = fixture::<CountRecord>();
    sites.set_for_test(1, KEY.site);
    index.insert(KEY, record(KEY, 1));
    assert!(index.grow(sites));
    let (replaced, length) = (index.entries.get(), index.length());
    // SAFETY: I1.
    let used = || (0..length).filter(|&it| unsafe { (*replaced.add(it)).get() } != 0);
    assert_eq!(used().count(), 1);
    assert!(index.grow(sites) && index.length() == 2 * length);
    assert_eq!(used().count(), 0);
    assert!(index.find(KEY, sites).is_some());
}

#[test]
fn locks_at_one_address_are_apart_by_their_generation() {
    let (index, sites) = fixture::<CountRecord>();
    sites.set_for_test(1, KEY.site);
    let key = |generation| Key { generation, ..KEY };
    for generation in 0..4 {
        let found = index.find(key(generation), sites);
        assert!(found.is_none(), "{generation} has not been there");
        index.insert(key(generation), record(key(generation), 1));
    }
    let generation = |found: Option<&CountRecord>| found.map(|it| it.generation.load(Relaxed));
    for wanted in 0..4 {
        assert_eq!(generation(index.find(key(wanted), sites)), Some(wanted));
    }
    // The earlier ones of the second, in the order in which they came: 0, 2 and 3.
    let gone = |many| generation(index.find_one_of_many_gone(key(1), sites, many));
    assert_eq!([1, 2, 3, 4].map(gone), [Some(0), Some(2), Some(3), None]);
    let elsewhere = Key {
        lock: KEY.lock + 64,
        ..KEY
    };
    assert!(index.find_one_of_many_gone(elsewhere, sites, 1).is_none());
}

#[test]
fn the_other_part_of_a_key_distinguishes_records() {
    let (index, sites) = fixture::<StackWaitRecord>();
    sites.set_for_test(1, KEY.site);
    let key = |other| Key { other, ..KEY };
    for stack in [5, 6] {
        index.insert(key(stack), wait(key(stack), 1));
    }
    let stack = |other| {
        let found = index.find(key(other), sites);
        found.map(|it| it.stack.load(Relaxed))
    };
    assert_eq!([4, 5, 6].map(stack), [None, Some(5), Some(6)]);
    assert!(index.grow(sites));
    assert_eq!([4, 5, 6].map(stack), [None, Some(5), Some(6)]);
}

#[test]
fn a_record_with_the_same_tag_and_place_is_still_another() {
    let others = [
        Key {
            lock: KEY.lock + 64,
            ..KEY
        },
        Key {
            entry: EntryPoint::TryLock,
            ..KEY
        },
        Key {
            generation: 1,
            ..KEY
        },
        Key { other: 1, ..KEY },
    ];
    let at_another_site = (KEY, 2);
    for (other, site) in others
        .map(|it| (it, 1))
        .into_iter()
        .chain([at_another_site])
    {
        let (index, sites) = fixture::<StackWaitRecord>();
        sites.set_for_test(1, KEY.site);
        sites.set_for_test(2, KEY.site + 8);
        // It lies in the entry of the key, with the tag of the key.
        index.insert(KEY, wait(other, site));
        assert!(index.find(KEY, sites).is_none());
        let its = wait(KEY, 1);
        index.insert(KEY, its);
        assert!(
            index
                .find(KEY, sites)
                .is_some_and(|it| core::ptr::eq(it, its))
        );
    }
}
