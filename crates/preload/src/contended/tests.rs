//! Locks that threads wait for, and who is charged for it.

use super::*;

fn locks() -> Box<ContendedLocks> {
    // SAFETY: zeros are a valid value.
    unsafe { Box::<ContendedLocks>::new_zeroed().assume_init() }
}

fn at(site: u32) -> Place {
    Place::new(site, 0)
}

#[test]
fn each_holder_is_charged_for_the_time_it_held_while_somebody_waited() {
    let locks = locks();
    assert!(locks.find(0x1000).is_none() && !locks.may_be_waited_for(0x1000));
    assert!(!locks.was_waited_for(0x1000));
    // The holder acquires at 100, the waiter begins at 1000; the holder releases at 1600, and another holds the lock until
    // 1900.
    let (entry, before) = locks.begin_wait(0x1000, at(7), 1000).unwrap();
    assert!(locks.may_be_waited_for(0x1000));
    entry.release(at(7), Some(100), 1600);
    entry.release(at(8), Some(1700), 1900);
    let charged = entry.charged_since(&before);
    locks.end_wait(0x1000, entry);
    assert_eq!((entry.place(0), charged[0]), (at(7), 600));
    assert_eq!((entry.place(1), charged[1]), (at(8), 200));
    assert_eq!(entry.last_release(), (1900, at(8)));
    assert!(!locks.may_be_waited_for(0x1000) && locks.was_waited_for(0x1000));
    assert!(!locks.was_waited_for(0x2000));
}

#[test]
fn who_comes_later_is_not_charged_with_what_went_before() {
    let locks = locks();
    let (entry, first) = locks.begin_wait(0x1000, at(7), 1000).unwrap();
    let (_, second) = locks.begin_wait(0x1000, at(7), 1400).unwrap();
    entry.release(at(7), Some(100), 1600);
    assert_eq!(entry.charged_since(&first)[0], 600);
    assert_eq!(entry.charged_since(&second)[0], 200);
}

#[test]
fn a_waiter_that_has_the_lock_is_charged_from_then_on() {
    let locks = locks();
    let (entry, _) = locks.begin_wait(0x1000, at(7), 1000).unwrap();
    let (_, before) = locks.begin_wait(0x1000, at(7), 1000).unwrap();
    entry.release(at(7), None, 1600);
    // Between its release and the next acquisition nobody has the lock.
    entry.acquired(1750);
    assert_eq!(entry.since_ns(), 1750);
    entry.release(at(8), None, 1900);
    let charged = entry.charged_since(&before);
    assert_eq!(charged[..2], [600, 150]);
}

#[test]
fn a_holder_that_was_not_seen_is_taken_for_who_released_the_lock_last() {
    let locks = locks();
    let (entry, first) = locks.begin_wait(0x1000, at(7), 1000).unwrap();
    entry.release(at(8), None, 1300);
    let (_, second) = locks.begin_wait(0x1000, at(0), 1500).unwrap();
    assert_eq!(
        (entry.place(0), entry.charged_since(&first)[0]),
        (at(8), 500)
    );
    entry.release(at(0), None, 1600);
    let charged = entry.charged_since(&second);
    assert_eq!((charged[0], charged[PLACES - 1]), (0, 100));
}

#[test]
fn more_sites_than_there_is_room_for_share_the_last() {
    let locks = locks();
    let (entry, before) = locks.begin_wait(0x2000, at(0), 1).unwrap();
    for site in 1..=20 {
        entry.release(at(site), None, 1 + u64::from(site) * 10);
    }
    let charged = entry.charged_since(&before);
    assert_eq!(charged[..PLACES - 1], [10; PLACES - 1]);
    let rest = (entry.place(PLACES - 1), charged[PLACES - 1]);
    assert_eq!(rest, (Place::NOWHERE, 50));
}

#[test]
fn stacks_are_told_apart_as_far_as_there_is_room_and_sites_beyond() {
    let locks = locks();
    let (entry, before) = locks.begin_wait(0x2000, at(0), 1).unwrap();
    for stack in 1..=20 {
        entry.release(Place::new(7, stack), None, 1 + u64::from(stack) * 10);
    }
    entry.release(Place::new(8, 1), None, 211);
    let charged = entry.charged_since(&before);
    assert_eq!(charged[..WITH_STACK], [10; WITH_STACK]);
    for stack in 1..=WITH_STACK as u32 {
        assert_eq!(entry.place(stack as usize - 1), Place::new(7, stack));
    }
    let site = (entry.place(WITH_STACK), charged[WITH_STACK]);
    assert_eq!(site, (at(7), 120));
    let other = (entry.place(WITH_STACK + 1), charged[WITH_STACK + 1]);
    assert_eq!(other, (at(8), 10));
}

#[test]
fn locks_at_one_place_of_the_table_are_told_apart() {
    let locks = locks();
    for lock in (0..4000_usize).map(|number| 0x7000_0000 + number * 40) {
        if let Some(entry) = locks.entry(lock) {
            assert!(core::ptr::eq(entry, locks.find(lock).unwrap()));
        }
    }
}

#[test]
fn locks_beyond_the_places_that_are_searched_have_no_entry() {
    let locks = locks();
    let home = ContendedLocks::place(8);
    let is_there = |lock: &usize| ContendedLocks::place(*lock) == home;
    let mut same = (1..).map(|number| 8 * number).filter(is_there);
    let fit: Vec<usize> = same.by_ref().take(PROBES).collect();
    for &lock in &fit {
        let entry = locks.entry(lock).unwrap();
        assert!(core::ptr::eq(entry, locks.find(lock).unwrap()));
    }
    let next = same.next().unwrap();
    assert!(locks.find(next).is_none() && locks.entry(next).is_none());
    assert!(locks.begin_wait(next, at(7), 1).is_none());
    assert!(fit.iter().all(|&lock| locks.find(lock).is_some()));
}

#[test]
fn a_filter_that_has_lost_count_always_says_maybe() {
    for (waiters, expected) in [(254, false), (255, true), (300, true)] {
        let locks = locks();
        let entry = locks.entry(0x1000).unwrap();
        for _ in 0..waiters {
            assert!(locks.begin_wait(0x1000, at(7), 1_000).is_some());
        }
        for left in (0..waiters).rev() {
            locks.end_wait(0x1000, entry);
            assert_eq!(entry.has_waiters(), left > 0);
        }
        assert_eq!(locks.may_be_waited_for(0x1000), expected, "{waiters}");
        locks.end_wait(0x1000, entry);
        assert!(!entry.has_waiters(), "not less than none");
    }
}

#[test]
fn a_release_says_which_waits_have_begun_and_ended_before() {
    let locks = locks();
    let (entry, before) = locks.begin_wait(0x1000, at(7), 1000).unwrap();
    assert_eq!(entry.release_in_turn(at(7), Some(100), 1600), 0);
    entry.turn();
    entry.turn();
    assert_eq!(entry.release_in_turn(at(8), Some(1700), 1900), 2);
    // Else it is a release like any other.
    let charged = entry.charged_since(&before);
    assert_eq!((charged[0], charged[1]), (600, 200));
    assert_eq!(entry.last_release(), (1900, at(8)));
}
