use super::made::{CONDITION, Made};
use super::of_kind;
use locktoll_results::profile::timeline::FindingKind;

const MS: u64 = 1_000_000;

/// The first thread waits for the second, which waits for the third, which waits for a signal.
fn chain() -> Made {
    let mut made = Made::default();
    made.hold(1, 0, [MS, 50 * MS]);
    made.hold(2, 1, [2 * MS, 48 * MS]);
    made.wait(2, CONDITION, [3 * MS, 40 * MS], Some(3));
    made.wait(1, 1, [5 * MS, 48 * MS], Some(2));
    made.wait(0, 0, [10 * MS, 50 * MS], Some(1));
    made
}

#[test]
fn the_longest_chain_is_put_into_words() {
    let mut made = chain();
    // A shorter one, which lasts longer.
    made.hold(6, 2, [100 * MS, 900 * MS]);
    made.wait(6, 3, [110 * MS, 800 * MS], Some(7));
    made.wait(5, 2, [120 * MS, 900 * MS], Some(6));
    let found = of_kind(&made.timeline(), FindingKind::ChainOfWaits);
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].sentence,
        "Longest chain of waits: worker 100 waited 40.0 ms for a, held by worker 101, which waited 43.0 ms for b, held by worker 102, \
         which waited 37.0 ms for filled, which worker 103 signalled. All 3 waits overlapped for 30.0 ms, starting at 0.010000 s."
    );
    assert_eq!(found[0].threads, [0, 1, 2, 3]);
    assert_eq!((found[0].begin_ns, found[0].end_ns), (3 * MS, 50 * MS));
    assert_eq!(found[0].wait_ns, 120 * MS);
}

/// Waits one after the other, and waits of threads that hold nothing, are not a chain.
#[test]
fn waits_for_threads_that_run_are_no_chain() {
    let mut made = Made::default();
    made.hold(1, 0, [0, 10 * MS]);
    made.wait(0, 0, [MS, 10 * MS], Some(1));
    // The holder waits, but has released the lock by then.
    made.hold(2, 1, [0, 30 * MS]);
    made.wait(1, 1, [11 * MS, 30 * MS], Some(2));
    // A holder waits, and no thread waits for it.
    made.hold(3, 2, [0, 30 * MS]);
    made.wait(3, CONDITION, [5 * MS, 20 * MS], Some(4));
    made.wait(4, 2, [25 * MS, 30 * MS], Some(3));
    assert_eq!(of_kind(&made.timeline(), FindingKind::ChainOfWaits), []);
}

/// Threads that wait for each other are in a chain once.
#[test]
fn a_deadlock_is_a_chain_with_an_end() {
    let mut made = Made::default();
    for thread in 0..3 {
        made.hold(thread, thread, [0, 100 * MS]);
        made.wait(
            thread,
            (thread + 1) % 3,
            [MS + u64::from(thread), 100 * MS],
            None,
        );
    }
    let found = of_kind(&made.timeline(), FindingKind::ChainOfWaits);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].threads.len(), 3);
}

#[test]
fn a_chain_that_hardly_lasts_is_left_out() {
    let mut made = Made::default();
    made.hold(1, 0, [0, 10 * MS]);
    made.wait(1, 1, [MS, 2 * MS], Some(2));
    made.wait(0, 0, [2 * MS - 50_000, 10 * MS], Some(1));
    assert_eq!(of_kind(&made.timeline(), FindingKind::ChainOfWaits), []);
}

/// The mutex of a condition is released when the wait begins, perhaps a little later than the wait is noted.
#[test]
fn a_thread_that_waits_for_a_condition_does_not_hold_its_mutex() {
    let mut made = Made::default();
    made.hold(1, 0, [0, 10 * MS]);
    made.wait(1, CONDITION, [8 * MS, 30 * MS], Some(2));
    made.wait(0, 0, [MS, 10 * MS], Some(1));
    assert_eq!(of_kind(&made.timeline(), FindingKind::ChainOfWaits), []);
}
