use super::made::{Made, Random};
use super::of_kind;
use locktoll_results::profile::timeline::{FindingKind, Timeline};

/// Threads take turns at lock `a`: each turn is 1 ms, and each thread waits since its last turn. `next` says who is next.
fn turns(number: u64, mut next: impl FnMut(u64) -> u32) -> Timeline {
    let mut made = Made::default();
    let mut last_turn = [0; 16];
    let mut before = 15;
    for turn in 1..=number {
        let thread = next(turn);
        let at_ns = turn * 1_000_000;
        made.wait(thread, 0, [last_turn[thread as usize], at_ns], Some(before));
        made.hold(thread, 0, [at_ns, at_ns + 990_000]);
        last_turn[thread as usize] = at_ns + 995_000;
        before = thread;
    }
    made.timeline()
}

#[test]
fn threads_that_queue_in_the_same_order_are_a_convoy() {
    let timeline = turns(100, |turn| (turn % 5) as u32);
    let found = of_kind(&timeline, FindingKind::Convoy);
    assert_eq!(found.len(), 1);
    let mut threads = found[0].threads.clone();
    threads.sort_unstable();
    assert_eq!(threads, [0, 1, 2, 3, 4]);
    assert_eq!(found[0].end_ns, 100_000_000);
    assert!(found[0].begin_ns <= 10_000_000, "{found:?}");
    assert_eq!(
        found[0].sentence,
        "Convoy: for 94.0 ms, 5 threads queued for a in the same order, 95 holds one after another. The lock changed hands every 1.00 ms, \
         and a thread waited 4.00 ms for its turn (means)."
    );
}

#[test]
fn a_convoy_that_is_disturbed_goes_on() {
    // Now and then, two threads change places.
    let mut order: Vec<u32> = (0..6).collect();
    let timeline = turns(600, |turn| {
        if turn % 60 == 0 {
            order.swap(1, 4);
        }
        order[(turn % 6) as usize]
    });
    let found = of_kind(&timeline, FindingKind::Convoy);
    assert_eq!(found.len(), 1);
    let length_ns = found[0].end_ns - found[0].begin_ns;
    assert!(length_ns >= 500_000_000, "{found:?}");
}

#[test]
fn threads_in_any_order_are_no_convoy() {
    for seed in 1..=50 {
        let mut random = Random(seed * 0x9E37_79B9);
        let threads = 3 + seed % 8;
        let mut last = 0;
        let timeline = turns(2_000, |_| {
            // Anybody but the last one.
            last = (last + 1 + random.below(threads - 1) as u32) % threads as u32;
            last
        });
        let found = of_kind(&timeline, FindingKind::Convoy);
        assert_eq!(found, [], "seed {seed}");
    }
}

#[test]
fn two_threads_that_alternate_are_no_convoy() {
    let timeline = turns(500, |turn| (turn % 2) as u32);
    assert_eq!(of_kind(&timeline, FindingKind::Convoy), []);
}

#[test]
fn a_busy_lock_with_pauses_of_chance_is_no_convoy() {
    for seed in 1..=10 {
        let timeline = locktoll_made_up::made_up::timeline(20_000, seed);
        assert_eq!(of_kind(&timeline, FindingKind::Convoy), [], "seed {seed}");
    }
}

/// The same order, but other threads take the lock in between without a wait.
#[test]
fn turns_that_are_not_handed_over_are_no_convoy() {
    let mut made = Made::default();
    for turn in 1..=200_u64 {
        let thread = (turn % 5) as u32;
        let at_ns = turn * 1_000_000;
        made.wait(thread, 0, [at_ns - 100_000, at_ns], Some(9));
    }
    assert_eq!(of_kind(&made.timeline(), FindingKind::Convoy), []);
}
