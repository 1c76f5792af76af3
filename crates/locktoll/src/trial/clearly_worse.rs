//! When a candidate is dropped since it is clearly worse.
//!
//! That saves time, so it is decided after few rounds; but it must not hit what is equal.

use locktoll_lab::stats::Blocks;

use super::rounds::Round;
use crate::report::TrialBetter;

/// Rounds before which nobody is dropped. Simulated with eleven candidates equal to bare, where three runs in ten take up to six
/// times as long: with three rounds someone was dropped in 6 of 100 tournaments, with four in 1.
const LEAST_ROUNDS: usize = 4;
/// How many times as bad its median must be.
const FACTOR: f64 = 1.25;

/// Whether a candidate is to be dropped: in every round it was worse than both runs of bare, by more than two runs of bare
/// ever differed in a round, and by at least [`FACTOR`] in the middle.
pub fn is_clearly_worse(blocks: &Blocks, better: TrialBetter, rounds: &[Round]) -> bool {
    let ratio = blocks.estimate();
    // As of times: above 1 is worse.
    let (nearest, median) = match better {
        TrialBetter::Lower => (blocks.least(), ratio.median),
        TrialBetter::Higher => (1.0 / blocks.greatest(), 1.0 / ratio.median),
    };
    let differences = rounds.iter().map(|round| {
        let [first, second] = &round.bare;
        let factor = second.metric / first.metric;
        factor.max(1.0 / factor)
    });
    let same_differ = differences.fold(1.0, f64::max);
    ratio.n >= LEAST_ROUNDS && median >= FACTOR && nearest > same_differ
}
