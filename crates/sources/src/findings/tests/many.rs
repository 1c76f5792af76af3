//! Timelines for which a search that looks at all earlier events takes too long.

use super::made::Made;
use crate::findings::looks::looks;
use crate::findings::scene::Scene;
use crate::findings::{chain, inversion};
use locktoll_results::profile::timeline::Timeline;

const MS: u64 = 1_000_000;

/// One hold, and one wait for it, last for the whole time. Their thread waits and holds `many` times in the meantime.
fn under_a_long_hold(many: u64) -> Timeline {
    let mut made = Made::default();
    let end_ns = (many + 1) * 2 * MS;
    made.hold(0, 1, [0, end_ns]);
    made.wait(2, 1, [1, end_ns], Some(0));
    for number in 1..=many {
        let begin_ns = number * 2 * MS;
        made.wait(0, 0, [begin_ns, begin_ns + MS / 2], Some(1));
        made.hold(0, 0, [begin_ns + MS / 2, begin_ns + MS]);
        if number % 2 == 0 {
            made.off(0, [begin_ns + MS / 2, begin_ns + 2 * MS - 1], true);
        }
    }
    made.timeline()
}

/// Looks for both kinds of findings, and returns for each how often it looked at waits and holds.
fn looks_of_both(many: u64) -> [u64; 2] {
    let timeline = under_a_long_hold(many);
    let scene = Scene::of(&timeline);
    let before = looks();
    let chains = chain::find(&scene);
    let between = looks();
    let inversions = inversion::find(&scene);
    assert!(chains[0].sentence.contains("All 2 waits overlapped"));
    assert_eq!(inversions.len(), 1);
    assert_eq!(inversions[0].threads, [0, 2]);
    [between - before, looks() - between]
}

#[test]
fn a_long_hold_is_not_searched_for_from_each_wait() {
    // So few that none of the bounds on looks is reached.
    let (few, twice) = (looks_of_both(400), looks_of_both(800));
    for (few, twice) in few.into_iter().zip(twice) {
        // With a look at each pair, there would be four times as many.
        assert!(few > 400 && twice < 3 * few, "{few} looks, then {twice}");
    }
    looks_of_both(100_000);
}
