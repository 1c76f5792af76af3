use super::made::{CONDITION, Made};
use super::of_kind;
use locktoll_results::profile::timeline::{FindingKind, SignalKind};

const MS: u64 = 1_000_000;

/// Eight threads wait for the condition. At 10 ms they are signalled, and each then has the lock for `hold_ns`.
fn woken(kind: SignalKind, hold_ns: u64) -> Made {
    let mut made = Made::default();
    made.signal(15, kind, 10 * MS);
    for thread in 0..8_u32 {
        let released_ns = 10 * MS + u64::from(thread) * hold_ns;
        let acquired_ns = released_ns + 2_000;
        // The recorder reads the time of the signal twice.
        let begin_ns = 10 * MS - 1_500;
        made.wait(
            thread,
            0,
            [begin_ns, released_ns],
            Some(thread.checked_sub(1).unwrap_or(15)),
        );
        made.hold(thread, 0, [acquired_ns, released_ns + hold_ns]);
        made.wait(
            thread,
            CONDITION,
            [u64::from(thread), acquired_ns],
            Some(15),
        );
    }
    made
}

/// Sets the time of the signal that ended the waits for the condition, as the recording has it.
fn timeline(made: Made) -> locktoll_results::profile::timeline::Timeline {
    let mut timeline = made.timeline();
    for row in 0..timeline.waits.len() {
        if timeline.waits.lock[row] == CONDITION {
            timeline.waits.released_ns[row] = 10 * MS;
        }
    }
    timeline
}

#[test]
fn threads_that_a_broadcast_wakes_and_a_lock_stops_are_a_herd() {
    let timeline = timeline(woken(SignalKind::All, MS));
    let found = of_kind(&timeline, FindingKind::ThunderingHerd);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].sentence,
        "Thundering herd: a broadcast of filled woke 8 threads; 8 of these threads then waited for a, one after the other. They waited 28.0 ms \
         in all, and the last one 7.00 ms."
    );
    assert_eq!(found[0].threads, [15, 0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!((found[0].begin_ns, found[0].end_ns), (10 * MS, 17 * MS));
}

/// The thread that broadcasts keeps the lock for 3 ms more.
#[test]
fn the_sum_has_all_waits_of_the_sentence() {
    let mut made = Made::default();
    made.signal(15, SignalKind::All, 10 * MS);
    for thread in 0..4_u32 {
        let released_ns = (13 + u64::from(thread)) * MS;
        let by = thread.checked_sub(1).unwrap_or(15);
        made.wait(thread, 0, [10 * MS, released_ns], Some(by));
        made.wait(thread, CONDITION, [1, released_ns + 1], Some(15));
    }
    // A thread that the broadcast wakes later on waited for the lock before it waited for the condition.
    made.wait(4, 0, [10 * MS - 9_000, 10 * MS - 5_000], Some(3));
    made.wait(4, CONDITION, [10 * MS - 4_000, 10 * MS + 1], Some(15));
    let timeline = timeline(made);
    let found = of_kind(&timeline, FindingKind::ThunderingHerd);
    assert_eq!(
        found[0].sentence,
        "Thundering herd: a broadcast of filled woke 5 threads; 4 of these threads then waited for a, one after the other. They waited 18.0 ms \
         in all, and the last one 6.00 ms."
    );
}

#[test]
fn holds_that_are_short_make_no_herd() {
    let timeline = timeline(woken(SignalKind::All, 2_000));
    assert_eq!(of_kind(&timeline, FindingKind::ThunderingHerd), []);
}

#[test]
fn signals_to_one_thread_make_no_herd() {
    let timeline = timeline(woken(SignalKind::One, MS));
    assert_eq!(of_kind(&timeline, FindingKind::ThunderingHerd), []);
}

/// A thread that does not belong to the herd holds the lock all the time.
#[test]
fn threads_that_wait_for_another_one_are_no_herd() {
    let mut made = Made::default();
    made.signal(15, SignalKind::All, 10 * MS);
    for thread in 0..8_u32 {
        made.wait(thread, 0, [10 * MS, 20 * MS], Some(15));
        made.wait(thread, CONDITION, [u64::from(thread), 21 * MS], Some(15));
    }
    assert_eq!(of_kind(&timeline(made), FindingKind::ThunderingHerd), []);
}
