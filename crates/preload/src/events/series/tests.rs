use locktoll_recording::layout::{EventKind, LockKind, event_flags};

use super::super::tests::{chunk, ring};
use super::*;

const LOCK: u64 = 0x1000;

/// A record of acquisitions of the lock at `lock`.
fn count(lock: u64) -> &'static CountRecord {
    // SAFETY: zeros are a valid record.
    let count: &CountRecord = Box::leak(Box::new(unsafe { core::mem::zeroed() }));
    count.lock.store(lock, Relaxed);
    count
}

fn event(site: u32, [begin_ns, end_ns]: [u64; 2]) -> EventWords {
    let lock = (LockKind::Spin, LOCK, 0);
    EventWords::new(
        EventKind::Hold,
        lock,
        event_flags::AWAITED,
        [begin_ns, end_ns],
        site,
    )
}

/// Releases as `timeline` does.
fn release(ring: &Events, count: &CountRecord, turns: u32, at_ns: u64) {
    let passed = Passed::new(count, turns, at_ns);
    let event = event(count.site.load(Relaxed), [at_ns - 1, at_ns]);
    assert!(ring.prolong(&passed) || ring.put_passed(event, &passed));
}

/// Begins and ends of the last `events` events, and their sites.
fn last(ring: &Events, events: u32) -> Vec<([u64; 2], u32)> {
    let chunk = ring.present.get().unwrap();
    let position = ring.position.get();
    let words = (position - events..position).map(|index| {
        // SAFETY: below the position.
        let words = &unsafe { chunk.record(index) }.words;
        [0, 2, 3].map(|word| words[word].load(Relaxed))
    });
    words
        .map(|[begin, end, place]| ([begin, end], place as u32))
        .collect()
}

/// A ring with room.
fn roomy() -> Events {
    let ring = ring(1);
    assert!(ring.begin_turn());
    ring.turn(Some(chunk(ring.next().0)));
    ring
}

#[test]
fn of_releases_in_one_turn_the_first_and_the_last_are_kept() {
    let (ring, count) = (roomy(), count(LOCK));
    let before = ring.next().0;
    for at_ns in (1_000..50_000).step_by(100) {
        release(&ring, count, 7, at_ns);
    }
    assert_eq!(ring.next().0 - before, 2);
    // The beginning of the last one is not that of the second one.
    assert_eq!(last(&ring, 2), [([999, 1_000], 0), ([0, 49_900], 0)]);
}

#[test]
fn a_turn_a_pause_and_another_lock_end_a_series() {
    let (ring, one, other) = (roomy(), count(LOCK), count(LOCK + 64));
    let reborn = count(LOCK);
    reborn.generation.store(1, Relaxed);
    let series = |count, turns, at_ns: u64| {
        let before = ring.next().0;
        for later in [0, 10, 20] {
            release(&ring, count, turns, at_ns + later);
        }
        ring.next().0 - before
    };
    assert_eq!(series(one, 1, 1_000), 2);
    assert_eq!(series(one, 1, 2_000), 0, "it goes on");
    assert_eq!(series(one, 2, 3_000), 2, "a wait has begun or ended");
    assert_eq!(series(other, 2, 4_000), 2);
    assert_eq!(series(one, 2, 5_000), 2);
    assert_eq!(series(reborn, 2, 6_000), 2);
    assert_eq!(series(reborn, 2, 6_020 + APART_NS), 2, "a pause");
    assert_eq!(series(reborn, 2, 6_039 + 2 * APART_NS), 0);
    assert_eq!(series(reborn, 2, 1_000), 2, "a clock that went back");
}

#[test]
fn a_hold_of_another_place_takes_the_place_of_the_last_one() {
    let (ring, reader, writer) = (roomy(), count(LOCK), count(LOCK));
    reader.site.store(5, Relaxed);
    writer.site.store(6, Relaxed);
    let before = ring.next().0;
    for (count, at_ns) in [(reader, 100), (reader, 200), (writer, 300)] {
        release(&ring, count, 1, at_ns);
    }
    assert_eq!(ring.next().0 - before, 2);
    assert_eq!(last(&ring, 2), [([99, 100], 5), ([0, 300], 6)]);
    release(&ring, writer, 1, 400);
    assert_eq!(last(&ring, 1), [([0, 400], 6)]);
}

/// The times of a thread's events must not go back, and another event must not be overwritten.
#[test]
fn behind_another_event_a_series_goes_on_with_a_new_one() {
    let (ring, count) = (roomy(), count(LOCK));
    for at_ns in [100, 200, 300] {
        release(&ring, count, 1, at_ns);
    }
    assert!(ring.put(event(9, [301, 302])).is_some());
    release(&ring, count, 1, 400);
    release(&ring, count, 1, 500);
    let expected = [([0, 300], 0), ([301, 302], 9), ([0, 500], 0)];
    assert_eq!(last(&ring, 3), expected);
    // So does a ring that has begun another round.
    assert!(ring.begin_turn());
    ring.turn(None);
    release(&ring, count, 1, 600);
    assert_eq!(
        (ring.position.get(), last(&ring, 1)),
        (1, vec![([0, 600], 0)])
    );
}

/// A handler that interrupts an event must not touch the series.
#[test]
fn what_interrupts_an_event_neither_prolongs_a_series_nor_begins_one() {
    let (ring, count) = (roomy(), count(LOCK));
    for at_ns in [100, 200] {
        release(&ring, count, 1, at_ns);
    }
    let passed = Passed::new(count, 1, 250);
    let inside = ring.alone(|| {
        (
            ring.prolong(&passed),
            ring.put_passed(event(0, [0, 250]), &passed),
        )
    });
    assert_eq!(
        (inside, last(&ring, 1)),
        (Some((false, false)), vec![([0, 200], 0)])
    );
    release(&ring, count, 1, 300);
    assert_eq!(last(&ring, 2), [([99, 100], 0), ([0, 300], 0)]);
}
