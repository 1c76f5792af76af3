//! The list of held locks.

use super::*;

fn counts(number: u64) -> Vec<&'static CountRecord> {
    (1..=number)
        .map(|lock| {
            // SAFETY: zeros are a valid record.
            let count: &'static CountRecord = Box::leak(Box::new(unsafe { core::mem::zeroed() }));
            count.lock.store(lock, Relaxed);
            count.site.store(lock as u32 * 10, Relaxed);
            count
        })
        .collect()
}

fn push(held: &HeldLocks, count: &'static CountRecord) -> bool {
    held.push(count, Chained::Locks).is_some()
}

#[test]
fn locks_are_released_in_any_order() {
    // SAFETY: zeros are an empty list.
    let held: HeldLocks = unsafe { core::mem::zeroed() };
    for count in counts(4) {
        assert!(push(&held, count));
    }
    assert!(!held.pop_untimed(3), "it is not the last");
    assert!(held.remove(2).is_some() && held.remove(2).is_none());
    assert_eq!(held.place_of(3), Some(Place::new(30, 0)));
    assert!(held.pop_untimed(4));
    held.time_last(99, 5);
    assert!(!held.pop_untimed(3), "it is timed");
    assert_eq!(held.place_of(3), Some(Place::new(30, 5)));
    assert_eq!(held.remove(3).unwrap().since, 99);
    assert!(held.pop_untimed(1) && held.iter().next().is_none());
}

#[test]
fn a_hold_that_ends_a_wait_is_not_ended_the_usual_way() {
    // SAFETY: zeros are an empty list.
    let held: HeldLocks = unsafe { core::mem::zeroed() };
    assert!(!held.await_end(1), "nothing is held");
    let counts = counts(2);
    assert!(push(&held, counts[0]) && !held.await_end(2) && held.await_end(1));
    assert!(!held.pop_untimed(1));
    assert_eq!(held.place_of(1), Some(Place::new(10, 0)));
    assert_eq!(held.remove(1).map(|it| (it.since, it.stack)), Some((0, 0)));
    assert!(push(&held, counts[1]));
    held.time_last(99, 5);
    assert!(held.await_end(2));
    assert_eq!(
        held.remove(2).map(|it| it.since),
        Some(99),
        "it stays timed"
    );
}

#[test]
fn of_a_lock_held_several_times_the_newest_hold_ends_first() {
    // SAFETY: zeros are an empty list.
    let held: HeldLocks = unsafe { core::mem::zeroed() };
    let counts = counts(2);
    for (count, since) in [(counts[0], 5), (counts[0], 6), (counts[1], 7)] {
        assert!(push(&held, count));
        held.time_last(since, since as u32 + 10);
    }
    assert_eq!(held.remove(1).map(|it| it.since), Some(6));
    assert_eq!(held.remove(1).map(|it| it.since), Some(5));
    assert!(held.remove(1).is_none() && held.remove(2).is_some());
}

#[test]
fn of_what_is_stale_the_oldest_goes_first() {
    // SAFETY: zeros are an empty list.
    let held: HeldLocks = unsafe { core::mem::zeroed() };
    let counts = counts(2);
    for (count, since) in [(counts[0], 5), (counts[1], 6), (counts[0], 7)] {
        assert!(push(&held, count));
        held.time_last(since, since as u32 + 10);
    }
    assert_eq!(held.times_held(1), 2);
    assert!(held.drop_stale(|count| is_of(count, 1)) && held.times_held(1) == 1);
    assert!(!held.drop_stale(|count| is_of(count, 9)));
    assert_eq!(held.remove(1).map(|it| (it.since, it.stack)), Some((7, 17)));
    assert_eq!(held.remove(2).map(|it| (it.since, it.stack)), Some((6, 16)));
}

#[test]
fn there_is_an_end_of_the_list() {
    // SAFETY: zeros are an empty list.
    let held: HeldLocks = unsafe { core::mem::zeroed() };
    let counts = counts(HELD as u64 + 2);
    let pushed = counts.iter().filter(|count| push(&held, count)).count();
    assert_eq!(pushed, HELD);
    assert!(held.drop_stale(|count| count.lock.load(Relaxed) == 5));
    assert!(push(&held, counts[HELD]) && !push(&held, counts[HELD + 1]));
    assert!(held.pop_untimed(HELD + 1));
}
