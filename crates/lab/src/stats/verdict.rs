//! Whether two contenders differ.

use serde::{Deserialize, Serialize};

use super::{Estimate, estimate};

/// With fewer rounds than this, no difference is ever claimed: with four, the confidence of the median's interval is 87.5 %, with
/// five 93.75 %.
pub const MIN_ROUNDS: usize = 5;

/// The comparison of the second contender with the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The second takes less time.
    Faster,
    /// The second takes more time.
    Slower,
    /// No detectable difference: this does not prove that they are equal.
    NoDifference,
}

/// Returns the median of b/a over the rounds of an interleaved run, with its interval.
///
/// Each round measures both under nearly the same disturbance, which the quotient cancels; that is why it is not the quotient of
/// two medians. Rounds in which a figure is not positive and finite are left out (`n` shows how many remain); `None` if none
/// remains.
pub fn ratio_of_pairs(rounds: &[(f64, f64)]) -> Option<Estimate> {
    let usable = |x: f64| x.is_finite() && x > 0.0;
    let ratios: Vec<f64> = rounds
        .iter()
        .filter(|(a, b)| usable(*a) && usable(*b))
        .map(|(a, b)| b / a)
        .filter(|ratio| usable(*ratio))
        .collect();
    estimate(&ratios)
}

/// Judges a ratio of times (or of anything where less is better).
///
/// It is a difference if all of these hold:
/// - there are at least [`MIN_ROUNDS`] rounds;
/// - the ratio's interval excludes 1;
/// - where an A/A pair was run (the same contender under two names), the interval also lies wholly outside the range of the A/A
///   pair, taken both ways round: if equal things came out as 0.8, they can also come out as 1.25.
pub fn verdict(ratio: &Estimate, same_against_same: Option<&Estimate>) -> Verdict {
    if ratio.n < MIN_ROUNDS {
        return Verdict::NoDifference;
    }
    let noise = same_against_same.map_or(1.0, widest_factor);
    if ratio.high < 1.0 / noise {
        Verdict::Faster
    } else if ratio.low > noise {
        Verdict::Slower
    } else {
        Verdict::NoDifference
    }
}

/// Returns the largest factor, at least 1, by which the A/A pair's interval departs from equality.
pub fn widest_factor(same: &Estimate) -> f64 {
    [same.low, same.high, 1.0 / same.low, 1.0 / same.high]
        .into_iter()
        .fold(1.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ratio(low: f64, median: f64, high: f64, n: usize) -> Estimate {
        Estimate {
            median,
            low,
            high,
            n,
        }
    }

    #[test]
    fn an_interval_across_one_is_no_difference() {
        assert_eq!(
            verdict(&ratio(0.9, 0.95, 1.01, 9), None),
            Verdict::NoDifference
        );
        assert_eq!(verdict(&ratio(0.9, 0.95, 0.99, 9), None), Verdict::Faster);
        assert_eq!(verdict(&ratio(1.01, 1.1, 1.2, 9), None), Verdict::Slower);
    }

    #[test]
    fn what_the_same_lock_shows_too_is_no_difference() {
        let same = ratio(0.8, 0.97, 1.1, 9);
        assert_eq!(
            verdict(&ratio(0.7, 0.75, 0.85, 9), Some(&same)),
            Verdict::NoDifference
        );
        assert_eq!(
            verdict(&ratio(0.7, 0.75, 0.79, 9), Some(&same)),
            Verdict::Faster
        );
        // 1 / 0.8 is 1.25, though the pair never came out above 1.1.
        assert_eq!(
            verdict(&ratio(1.2, 1.3, 1.4, 9), Some(&same)),
            Verdict::NoDifference
        );
        assert_eq!(
            verdict(&ratio(1.26, 1.3, 1.4, 9), Some(&same)),
            Verdict::Slower
        );
    }

    #[test]
    fn few_rounds_prove_nothing() {
        assert_eq!(
            verdict(&ratio(0.1, 0.1, 0.1, 4), None),
            Verdict::NoDifference
        );
    }

    #[test]
    fn rounds_without_a_figure_are_left_out() {
        let rounds = [(0.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (1.0, -1.0)];
        let ratio = ratio_of_pairs(&rounds).unwrap();
        assert_eq!((ratio.median, ratio.n), (0.5, 1));
        assert_eq!(ratio_of_pairs(&[(0.0, 0.0)]), None);
    }

    #[test]
    fn a_drift_common_to_both_cancels() {
        // The machine slows down tenfold during the run; b stays twice as fast as a.
        let rounds: Vec<_> = (1..=10)
            .map(|r| (f64::from(r), f64::from(r) / 2.0))
            .collect();
        let ratio = ratio_of_pairs(&rounds).unwrap();
        assert_eq!((ratio.low, ratio.median, ratio.high), (0.5, 0.5, 0.5));
    }

    proptest! {
        #[test]
        fn exchanging_the_two_exchanges_the_verdict(
            rounds in prop::collection::vec((0.1..10.0f64, 0.1..10.0f64), 5..40)
        ) {
            let swapped: Vec<_> = rounds.iter().map(|(a, b)| (*b, *a)).collect();
            let there = verdict(&ratio_of_pairs(&rounds).unwrap(), None);
            let back = verdict(&ratio_of_pairs(&swapped).unwrap(), None);
            let expected = match there {
                Verdict::Faster => Verdict::Slower,
                Verdict::Slower => Verdict::Faster,
                Verdict::NoDifference => Verdict::NoDifference,
            };
            prop_assert_eq!(back, expected);
        }

        #[test]
        fn a_pair_against_itself_never_differs(
            rounds in prop::collection::vec((0.1..10.0f64, 0.1..10.0f64), 1..40)
        ) {
            let ratio = ratio_of_pairs(&rounds).unwrap();
            prop_assert_eq!(verdict(&ratio, Some(&ratio)), Verdict::NoDifference);
        }
    }
}
