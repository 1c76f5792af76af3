//! Timelines for which a search that looks at all earlier events takes too long.

use super::made::Made;
use super::of_kind;
use locktoll_results::profile::timeline::{FindingKind, Timeline};

const MS: u64 = 1_000_000;
/// How many waits there are. With a look at each pair of them, this test would take minutes.
const MANY: u64 = 100_000;

/// One hold, and one wait for it, last for the whole time. Their thread waits and holds again and again in the meantime.
fn under_a_long_hold() -> Timeline {
    let mut made = Made::default();
    let end_ns = (MANY + 1) * 2 * MS;
    made.hold(0, 1, [0, end_ns]);
    made.wait(2, 1, [1, end_ns], Some(0));
    for number in 1..=MANY {
        let begin_ns = number * 2 * MS;
        made.wait(0, 0, [begin_ns, begin_ns + MS / 2], Some(1));
        made.hold(0, 0, [begin_ns + MS / 2, begin_ns + MS]);
        if number % 2 == 0 {
            made.off(0, [begin_ns + MS / 2, begin_ns + 2 * MS - 1], true);
        }
    }
    made.timeline()
}

#[test]
fn a_long_hold_is_not_searched_for_from_each_wait() {
    let timeline = under_a_long_hold();
    let chains = of_kind(&timeline, FindingKind::ChainOfWaits);
    assert!(chains[0].sentence.contains("All 2 waits overlapped"));
    let inversions = of_kind(&timeline, FindingKind::PriorityInversion);
    assert_eq!(inversions.len(), 1);
    assert_eq!(inversions[0].threads, [0, 2]);
}
