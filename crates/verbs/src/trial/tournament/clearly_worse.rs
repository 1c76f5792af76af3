//! The rule by which a candidate is dropped as clearly worse.
//!
//! It saves time, so it is applied after few rounds; but it must not drop an equal candidate.

use locktoll_lab::stats::Blocks;

use super::rounds::Round;
use locktoll_results::trial::Better as TrialBetter;

/// The least number of rounds before a candidate is dropped. In simulations with eleven candidates equal to bare, where three
/// runs in ten take up to six times as long, three rounds dropped a candidate in 6 of 100 tournaments, and four rounds in 1.
const LEAST_ROUNDS: usize = 4;
/// By what factor its median must be worse.
const FACTOR: f64 = 1.25;

/// Whether a candidate is to be dropped. In every round it must have been worse than both bare runs, by more than two bare runs
/// ever differed in a round; and its median must be worse by at least [`FACTOR`].
pub fn is_clearly_worse(blocks: &Blocks, better: TrialBetter, rounds: &[Round]) -> bool {
    let ratio = blocks.estimate();
    // Expressed as a ratio of times: above 1 is worse.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::{Figures, Stage};
    use locktoll_lab::stats::Block;

    /// Whether a candidate with these metrics is clearly worse than bare, whose two runs give 100 and 104 in each round.
    fn is_dropped(better: TrialBetter, metrics: &[f64]) -> bool {
        let figures = |metric| Figures {
            metric,
            wall_ns: 1,
            cpu_ns: 1,
            exit_code: 0,
            said: None,
            coverage: None,
        };
        let round = Round {
            stage: Stage::Qualifying,
            bare: [figures(100.0), figures(104.0)],
            candidates: Vec::new(),
        };
        let blocks: Vec<Block> = metrics
            .iter()
            .map(|other| Block {
                base: vec![100.0, 104.0],
                other: *other,
            })
            .collect();
        is_clearly_worse(
            &Blocks::new(&blocks).unwrap(),
            better,
            &vec![round; metrics.len()],
        )
    }

    #[test]
    fn worse_is_more_where_less_is_better() {
        let is_dropped = |metrics| is_dropped(TrialBetter::Lower, metrics);
        assert!(is_dropped(&[140.0; 4]));
        assert!(!is_dropped(&[140.0; 3]), "too few rounds");
        assert!(!is_dropped(&[70.0; 4]), "better");
        assert!(!is_dropped(&[120.0; 4]), "not by enough");
        assert!(!is_dropped(&[105.0, 140.0, 140.0, 140.0]), "once as good");
    }

    #[test]
    fn worse_is_less_where_more_is_better() {
        let is_dropped = |metrics| is_dropped(TrialBetter::Higher, metrics);
        assert!(is_dropped(&[70.0; 4]));
        assert!(!is_dropped(&[70.0; 3]), "too few rounds");
        assert!(!is_dropped(&[140.0; 4]), "better");
        assert!(!is_dropped(&[90.0; 4]), "not by enough");
        assert!(!is_dropped(&[99.0, 70.0, 70.0, 70.0]), "once as good");
    }
}
