//! Bursts, and worst seconds.

use super::made::{Made, Random};
use super::of_kind;
use locktoll_results::profile::timeline::{FindingKind, Timeline};

/// Waits of 100 us that begin at random, a millisecond apart, for ten seconds; between two times, 20 times as many.
fn waits(seed: u64, [from_ns, to_ns]: [u64; 2], change: impl FnOnce(&mut Made)) -> Timeline {
    let mut made = Made::default();
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut at_ns = 0;
    while at_ns < 10_000_000_000 {
        let is_dense = (from_ns..to_ns).contains(&at_ns);
        at_ns += random.gap(if is_dense { 50_000.0 } else { 1_000_000.0 });
        let thread = random.below(8) as u32;
        made.wait(thread, 0, [at_ns, at_ns + 100_000], Some(9));
    }
    change(&mut made);
    made.timeline()
}

#[test]
fn many_waits_within_a_short_time_are_a_burst() {
    let timeline = waits(1, [4_000_000_000, 4_300_000_000], |_| {});
    let found = of_kind(&timeline, FindingKind::Burst);
    assert_eq!(found.len(), 1);
    assert!(
        found[0].begin_ns.abs_diff(4_000_000_000) < 3_000_000,
        "{found:?}"
    );
    assert!(
        found[0].end_ns.abs_diff(4_300_000_000) < 3_000_000,
        "{found:?}"
    );
    assert!(
        found[0].sentence.starts_with("Burst: "),
        "{}",
        found[0].sentence
    );
    // The burst says more than the second around it.
    assert_eq!(of_kind(&timeline, FindingKind::WorstSecond), []);
}

#[test]
fn waits_at_a_constant_rate_are_no_burst_and_no_second_stands_out() {
    for seed in 1..=20 {
        let timeline = waits(seed, [0, 0], |_| {});
        assert_eq!(of_kind(&timeline, FindingKind::Burst), [], "seed {seed}");
        assert_eq!(
            of_kind(&timeline, FindingKind::WorstSecond),
            [],
            "seed {seed}"
        );
    }
}

/// If the earlier events of a ring were overwritten, the events that are left are not a burst.
#[test]
fn missing_events_make_no_burst() {
    let mut made = Made::default();
    made.missing_until_ns = 9_000_000_000;
    // Of one thread, only the last second is there.
    for at in 0..2_000_u64 {
        let at_ns = 9_000_000_000 + at * 500_000;
        made.wait(0, 0, [at_ns, at_ns + 100_000], Some(9));
    }
    for at in 0..500_u64 {
        let at_ns = at * 20_000_000;
        made.wait(1, 0, [at_ns, at_ns + 100_000], Some(9));
    }
    let timeline = made.timeline();
    assert_eq!(of_kind(&timeline, FindingKind::Burst), []);
    assert_eq!(of_kind(&timeline, FindingKind::WorstSecond), []);
}

/// If only chosen times were kept, they have all the waits.
#[test]
fn chosen_times_make_no_burst() {
    let timeline = waits(1, [4_000_000_000, 4_300_000_000], |made| {
        made.when = Some("wait>50ms".to_owned());
    });
    assert_eq!(of_kind(&timeline, FindingKind::Burst), []);
    assert_eq!(of_kind(&timeline, FindingKind::WorstSecond), []);
}

#[test]
fn the_worst_second_is_the_one_with_the_most_waiting() {
    for seed in 1..=5 {
        let mut random = Random(seed * 77);
        let mut made = Made::default();
        let mut all = Vec::new();
        for _ in 0..40 {
            let begin_ns = random.below(9_000_000_000);
            let end_ns = begin_ns + random.below(900_000_000);
            all.push((begin_ns, end_ns));
            made.wait(random.below(8) as u32, 0, [begin_ns, end_ns], Some(9));
        }
        // One second with more than any other.
        for thread in 0..12 {
            all.push((5_100_000_000, 5_900_000_000 + seed));
            made.wait(thread, 0, [5_100_000_000, 5_900_000_000 + seed], Some(9));
        }
        let timeline = made.timeline();
        let waited = |from_ns: u64| -> u64 {
            let parts = all.iter().map(|&(begin_ns, end_ns)| {
                let end_ns = end_ns.min(from_ns + 1_000_000_000);
                end_ns.saturating_sub(begin_ns.max(from_ns))
            });
            parts.sum()
        };
        let found = of_kind(&timeline, FindingKind::WorstSecond);
        assert_eq!(found.len(), 1, "seed {seed}");
        assert_eq!(found[0].wait_ns, waited(found[0].begin_ns));
        let others = (0..9_000).map(|ms| waited(ms * 1_000_000));
        assert!(others.max() <= Some(found[0].wait_ns), "seed {seed}");
    }
}
