//! Holds that are timed by the processor's counter, which here counts nanoseconds.

use locktoll_recording::layout::{EventKind, EventWords, Keeps, LockKind, event_flags};
use locktoll_results::profile::timeline::{HoldFlags, Index};

use super::program::HEAP;
use super::rings::{MUTEX, START_NS, detail, process, timeline, wait};

const INNER: (LockKind, u64, u32) = (LockKind::Mutex, HEAP, 0);

/// An event whose two times are relative to the beginning of the recording; zero stays zero.
fn event(kind: EventKind, lock: (LockKind, u64, u32), flags: u8, times: [u64; 2]) -> EventWords {
    let times = times.map(|it| if it == 0 { 0 } else { START_NS + it });
    EventWords::new(kind, lock, flags, times, 1)
}

fn clock(at_ns: u64) -> EventWords {
    event(EventKind::Clock, MUTEX, 0, [at_ns, at_ns])
}

fn timed(lock: (LockKind, u64, u32), times: [u64; 2]) -> EventWords {
    event(EventKind::TimedHold, lock, 0, times)
}

/// A release of `MUTEX` for which a thread waits.
fn released(at_ns: u64) -> EventWords {
    event(
        EventKind::Release,
        MUTEX,
        event_flags::AWAITED,
        [at_ns, at_ns],
    )
}

/// The events of a thread that holds `MUTEX` until a thread that waits gets it. In the meantime it has `inner` holds, and many others
/// of another lock.
fn outer_hold(inner: &[EventWords]) -> Vec<EventWords> {
    let mut events = vec![clock(10), timed(MUTEX, [100, 90_000])];
    events.extend(inner);
    events.extend((0..40).map(|it| timed(INNER, [1_000 * it + 1_000, 1_000 * it + 1_100])));
    events.extend([released(90_000), clock(99_000)]);
    events
}

/// However many holds of other locks began later.
#[test]
fn a_release_belongs_to_the_hold_of_its_lock() {
    let mut program = process(7, Keeps::Everything);
    program.part.ring(1, 64, &outer_hold(&[]));
    program
        .part
        .ring(2, 8, &[wait([50_000, 90_100]), detail(90_000)]);
    let timeline = timeline(vec![program]);
    assert_eq!(timeline.waits.get(0).released_by, Index::new(0));
    let outer = timeline.holds.get(0);
    assert_eq!((outer.begin_ns, outer.end_ns), (100, 90_000));
    assert!(outer.flags.has(HoldFlags::AWAITED));
}

/// The inner hold of a recursive mutex ends without a release to others.
#[test]
fn a_recursive_mutex_is_released_by_its_outer_hold() {
    let mut program = process(7, Keeps::Everything);
    let events = outer_hold(&[timed(MUTEX, [200, 300])]);
    program.part.ring(1, 64, &events);
    let timeline = timeline(vec![program]);
    let holds = (0..timeline.holds.len()).map(|row| timeline.holds.get(row));
    let awaited: Vec<_> = holds
        .filter(|it| it.flags.has(HoldFlags::AWAITED))
        .collect();
    assert_eq!(awaited.len(), 1);
    assert_eq!((awaited[0].begin_ns, awaited[0].end_ns), (100, 90_000));
}

/// The library adds a hold once more, with its end, if its first event is about to be overwritten.
#[test]
fn a_hold_with_two_events_is_one() {
    let mut program = process(7, Keeps::Everything);
    let events = [
        clock(10),
        timed(MUTEX, [100, 0]),
        timed(INNER, [200, 300]),
        timed(MUTEX, [100, 5_000]),
        timed(MUTEX, [6_000, 6_500]),
        clock(9_000),
    ];
    program.part.ring(1, 8, &events);
    let timeline = timeline(vec![program]);
    let holds = (0..timeline.holds.len()).map(|row| timeline.holds.get(row));
    let times: Vec<_> = holds
        .map(|it| (it.begin_ns, it.end_ns, it.flags.0))
        .collect();
    assert_eq!(times, [(100, 5_000, 0), (200, 300, 0), (6_000, 6_500, 0)]);
}

/// A ring's next segment begins with the clocks, even in the middle of a wait.
#[test]
fn the_clocks_between_its_halves_do_not_tear_a_wait() {
    let mut events = vec![clock(10)];
    // Another thread was faster after the release that the waiter saw.
    for times in [[100, 90_000], [90_010, 90_020]] {
        events.extend([timed(MUTEX, times), released(times[1])]);
    }
    let mut program = process(7, Keeps::Everything);
    program.part.ring(1, 8, &events);
    let events = [
        clock(10),
        wait([50_000, 90_100]),
        clock(90_200),
        detail(90_000),
    ];
    program.part.ring(2, 8, &events);
    let timeline = timeline(vec![program]);
    assert_eq!(timeline.kept.lost.damaged, 0);
    assert_eq!(timeline.waits.released_ns, [90_000]);
}

/// Wherever the ring begins again: also if the oldest event that it still has is the clocks, and then the second half of a wait.
#[test]
fn half_a_wait_behind_the_clocks_is_left_out_with_its_other_half() {
    for before in 0..3 {
        let mut events = vec![timed(INNER, [5, 6]); before];
        for number in 1..=300 {
            let at_ns = 1_000 * number;
            events.push(wait([at_ns, at_ns + 500]));
            events.push(clock(at_ns + 600));
            events.push(detail(at_ns + 400));
        }
        let mut program = process(7, Keeps::Everything);
        program.part.ring(1, 100, &events);
        let timeline = timeline(vec![program]);
        let lost = timeline.kept.lost;
        assert!(lost.overwritten > 0);
        assert_eq!(lost.damaged, 0, "{before} events before");
        assert!(timeline.waits.len() > 30);
    }
}

/// A wait and a call that may block are written when they end. A hold that is added again has an earlier time.
#[test]
fn a_hold_whose_end_is_missing_lasted_until_the_last_event_was_written() {
    const OTHER: (LockKind, u64, u32) = (LockKind::Mutex, HEAP + 64, 0);
    let again = timed(OTHER, [50, 90_010]);
    for last in [
        vec![event(EventKind::Wait, INNER, 0, [50_000, 90_000])],
        vec![event(EventKind::Block, INNER, 0, [50_000, 90_000])],
        vec![event(EventKind::Block, INNER, 0, [50_000, 90_000]), again],
        vec![timed(INNER, [90_000, 90_005]), again],
    ] {
        let mut program = process(7, Keeps::Everything);
        let mut events = vec![clock(10), timed(MUTEX, [100, 0])];
        events.extend(&last);
        program.part.ring(1, 8, &events);
        // A ring that has begun again lacks what was written before.
        let later = (200..500).map(|it| timed(INNER, [1_000 * it, 1_000 * it + 10]));
        program.part.ring(1, 100, &later.collect::<Vec<_>>());
        let timeline = timeline(vec![program]);
        let mut holds = timeline.holds.iter();
        let hold = holds.find(|it| it.begin_ns == 100).unwrap();
        assert_eq!(hold.end_ns, 90_000, "{last:?}");
        assert!(hold.flags.has(HoldFlags::UNFINISHED));
    }
}

/// Whichever event is the oldest one that the ring still has: also a hold that began long before, and was added again when it ended.
#[test]
fn nothing_is_missing_from_the_time_on_that_is_complete() {
    const MANY: u64 = 300;
    for ended in 1..=MANY {
        let mut events = vec![clock(10), timed(MUTEX, [100, 0])];
        for number in 1..=MANY {
            let at_ns = 1_000 * number;
            events.push(timed(INNER, [at_ns, at_ns + 10]));
            if number == ended {
                events.push(timed(MUTEX, [100, at_ns + 20]));
            }
        }
        events.push(clock(1_000 * MANY + 500));
        let mut program = process(7, Keeps::Everything);
        program.part.ring(1, 100, &events);
        let timeline = timeline(vec![program]);
        let from_ns = timeline.threads[0].complete_from_ns;
        let later = |ends: &[u64]| ends.iter().filter(|&&end| end > from_ns).count() as u64;
        let all = (1..=MANY).map(|it| 1_000 * it + 10);
        let mut all: Vec<u64> = all.chain([1_000 * ended + 20]).collect();
        all.sort_unstable();
        assert_eq!(later(&timeline.holds.end_ns), later(&all), "{ended}");
        assert!(from_ns <= 1_000 * MANY && later(&all) > 50, "{ended}");
    }
}
