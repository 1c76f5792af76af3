//! How much of the difference between slices comes from where lock, data and threads lie.
//!
//! Each slice draws its placement anew. The second run of an A/A pair takes over the placement that the first run of the round
//! before has had. So there are two kinds of pairs of slices of one cell, a round apart: those with the same placement, and those
//! with different ones (the first run of a round, the second of the round before). Whatever else changes from slice to slice is in
//! both. The share of placement is therefore 1 - V(same) / V(different), where V is the squared median of the absolute differences
//! between the logarithms: like a component of variance (R. A. Fisher, 1925), but a few disturbed slices do not decide it.
//!
//! That placement decides comparisons is the result of T. Mytkowicz, A. Diwan, M. Hauswirth, P. F. Sweeney, "Producing Wrong Data
//! Without Doing Anything Obviously Wrong!" (2009), and drawing it anew is the remedy of C. Curtsinger and E. D. Berger,
//! "STABILIZER: Statistically Sound Performance Evaluation" (2013).

use serde::{Deserialize, Serialize};

use crate::random::Random;

use super::estimate::median_of_sorted;

/// The share of placement in the variance between slices.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PlacementShare {
    /// From 0, if placement does not matter, to 1.
    pub share: f64,
    /// Lower bound of the 95 % interval.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
    /// Pairs of slices with the same placement.
    pub pairs: usize,
}

/// With fewer pairs, any share is possible.
const LEAST_PAIRS: usize = 12;
/// Times that the pairs are drawn again for the interval.
const RESAMPLES: usize = 999;

/// Returns the share, from the differences between logarithms of the figures of two slices, with the same placement and with
/// different ones. `None` if there are too few, or slices do not differ.
pub fn placement_share(same: &[f64], different: &[f64]) -> Option<PlacementShare> {
    let pairs = same.len().min(different.len());
    if pairs < LEAST_PAIRS {
        return None;
    }
    let share = share_of(same, different)?;
    let mut random = Random::new(0);
    let mut drawn: Vec<f64> = (0..RESAMPLES)
        .filter_map(|_| share_of(&again(same, &mut random), &again(different, &mut random)))
        .collect();
    drawn.sort_unstable_by(f64::total_cmp);
    let left_out = drawn.len() / 40;
    Some(PlacementShare {
        share,
        low: *drawn.get(left_out)?,
        high: *drawn.get(drawn.len().checked_sub(1 + left_out)?)?,
        pairs,
    })
}

fn share_of(same: &[f64], different: &[f64]) -> Option<f64> {
    let (same, different) = (spread(same), spread(different));
    (different > 0.0).then(|| (1.0 - (same / different).powi(2)).max(0.0))
}

/// The median of the absolute differences.
fn spread(differences: &[f64]) -> f64 {
    let mut sizes: Vec<f64> = differences.iter().map(|it| it.abs()).collect();
    sizes.sort_unstable_by(f64::total_cmp);
    median_of_sorted(&sizes)
}

/// As many as there are, each drawn from all of them (B. Efron's bootstrap, 1979).
fn again(differences: &[f64], random: &mut Random) -> Vec<f64> {
    let n = differences.len();
    (0..n)
        .map(|_| differences[random.below(n as u64) as usize])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::made_up::normal;

    /// Made-up pairs: each slice has the deviation of its placement and one of its own.
    fn pairs(n: usize, placement: f64, rest: f64, random: &mut Random) -> (Vec<f64>, Vec<f64>) {
        let mut difference = |of_placement: f64| {
            of_placement * (normal(random) - normal(random))
                + rest * (normal(random) - normal(random))
        };
        let same = (0..n).map(|_| difference(0.0)).collect();
        let different = (0..n).map(|_| difference(placement)).collect();
        (same, different)
    }

    #[test]
    fn the_share_is_that_of_the_made_up_variance() {
        let mut random = Random::new(1);
        for (placement, rest, expected) in [(0.2, 0.1, 0.8), (0.1, 0.1, 0.5), (0.1, 0.3, 0.1)] {
            let (same, different) = pairs(5_000, placement, rest, &mut random);
            let found = placement_share(&same, &different).unwrap();
            assert!((found.share - expected).abs() < 0.08, "{found:?}");
            assert!(found.low <= expected && expected <= found.high, "{found:?}");
            assert_eq!(found.pairs, 5_000);
        }
    }

    #[test]
    fn without_an_effect_the_interval_seldom_excludes_nothing() {
        const TRIALS: u32 = 300;
        let mut random = Random::new(2);
        let wrong = (0..TRIALS).filter(|_| {
            let (same, different) = pairs(18, 0.0, 0.1, &mut random);
            placement_share(&same, &different).unwrap().low > 0.0
        });
        assert!(wrong.count() <= 15);
    }

    #[test]
    fn few_or_equal_slices_have_no_share() {
        assert_eq!(placement_share(&[0.1; 11], &[0.1; 20]), None);
        assert_eq!(placement_share(&[0.0; 20], &[0.0; 20]), None);
    }
}
