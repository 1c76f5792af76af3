//! The median and its interval.
//!
//! The interval consists of order statistics (W. R. Thompson, 1936; H. A. David, *Order Statistics*, 1970, section 2.5): the
//! number of samples below the true median is binomial with p = 1/2 whatever the distribution, so two samples bracket the median
//! with a known probability. The percentile bootstrap of a median converges to the same interval, but uses random numbers and is
//! inaccurate at small n.

use serde::{Deserialize, Serialize};

/// The probability that a 95 % interval may miss the true median.
pub const MISSES: f64 = 0.05;

/// A median with the bounds of its interval, in the unit of the samples: 95 % unless it was asked for another.
///
/// With fewer than six samples, no interval reaches 95 %: the bounds are then the smallest and the largest sample, and
/// [`confidence`] gives their probability.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The middle sample, or the mean of the two in the middle.
    pub median: f64,
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
    /// Number of samples.
    pub n: usize,
}

impl Estimate {
    /// Returns how far the farther bound is from the median, as a share of the median. `None` without a median above zero.
    pub fn half_width(&self) -> Option<f64> {
        let farther = (self.high - self.median).max(self.median - self.low);
        (self.median > 0.0).then(|| farther / self.median)
    }

    /// Returns the same in another unit; a negative factor swaps the bounds.
    pub fn scaled(&self, factor: f64) -> Estimate {
        let (a, b) = (self.low * factor, self.high * factor);
        Estimate {
            median: self.median * factor,
            low: a.min(b),
            high: a.max(b),
            n: self.n,
        }
    }
}

/// Returns the median of `samples` and its 95 % interval; `None` if there are none or one is not a finite number.
pub fn estimate(samples: &[f64]) -> Option<Estimate> {
    estimate_missing(samples, MISSES)
}

/// Returns the median of `samples` and the narrowest interval that misses the true median with a probability of at most
/// `misses`; `None` as for [`estimate`]. If there are too few samples for that, the bounds are the smallest and the largest.
pub fn estimate_missing(samples: &[f64], misses: f64) -> Option<Estimate> {
    if samples.is_empty() || !samples.iter().all(|sample| sample.is_finite()) {
        return None;
    }
    let mut sorted = samples.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    let median = median_of_sorted(&sorted);
    let (rank, _) = interval(n, misses);
    Some(Estimate {
        median,
        low: sorted[rank],
        high: sorted[n - 1 - rank],
        n,
    })
}

/// Returns the middle sample, or the mean of the two in the middle. There is at least one.
pub(super) fn median_of_sorted(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    f64::midpoint(sorted[(n - 1) / 2], sorted[n / 2])
}

/// Returns the probability that the interval of `n` samples contains the true median: at least 0.95 from six samples on, 0.9375
/// with five, 0.875 with four, 0.75 with three, 0.5 with two, 0 with one.
pub fn confidence(n: usize) -> f64 {
    // With more samples, it is 0.95 to within a thousandth; the number may come from a file, and adding up takes n steps.
    const MANY: usize = 10_000;
    interval(n.min(MANY), MISSES).1
}

/// Returns the least number of samples whose smallest and largest miss the true median with a probability of at most `misses`.
pub fn least_samples(misses: f64) -> usize {
    // Both bounds lie on one side of it if all samples do: 2 / 2^n.
    (1.0 - misses.log2()).ceil().max(1.0) as usize
}

/// Returns the number of samples to leave out at each end, and the probability that the rest spans the median.
///
/// Leaving out `k` at each end misses it if at most `k` samples fall on one of its sides: 2 P(B <= k), B binomial (n, 1/2).
fn interval(n: usize, misses: f64) -> (usize, f64) {
    if n < 2 {
        return (0, 0.0);
    }
    // P(B = 0) underflows beyond a thousand samples, so logarithms are used: P(B = k+1) is P(B = k) (n - k) / (k + 1).
    let mut log_p = -(n as f64) * std::f64::consts::LN_2;
    let mut tail = log_p.exp();
    let mut rank = 0;
    while rank + 1 < n / 2 {
        let next_log_p = log_p + ((n - rank) as f64 / (rank + 1) as f64).ln();
        let next_tail = tail + next_log_p.exp();
        if 2.0 * next_tail > misses {
            break;
        }
        (log_p, tail, rank) = (next_log_p, next_tail, rank + 1);
    }
    (rank, 1.0 - 2.0 * tail)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranks_match_the_published_table() {
        // Ranks counted from one: Conover, Practical Nonparametric Statistics, table for 95 %.
        for (n, lowest) in [
            (6, 1),
            (8, 1),
            (9, 2),
            (10, 2),
            (12, 3),
            (15, 4),
            (20, 6),
            (25, 8),
        ] {
            assert_eq!(interval(n, MISSES).0 + 1, lowest, "n = {n}");
        }
    }

    #[test]
    fn a_stricter_interval_is_wider_and_needs_more_samples() {
        let samples: Vec<f64> = (1..=20).map(f64::from).collect();
        let bounds = |misses| {
            let estimate = estimate_missing(&samples, misses).unwrap();
            (estimate.low, estimate.high)
        };
        // Conover's table for 95 % and 99 %.
        assert_eq!((bounds(0.05), bounds(0.01)), ((6.0, 15.0), (4.0, 17.0)));
        for (misses, least) in [(0.05, 6), (0.025, 7), (0.0125, 8), (0.5, 2)] {
            assert_eq!(least_samples(misses), least, "{misses}");
            assert!(1.0 - interval(least, misses).1 <= misses);
            assert!(1.0 - interval(least - 1, misses).1 > misses);
        }
    }

    #[test]
    fn the_width_is_that_of_the_farther_bound() {
        let of = |low, median, high| {
            Estimate {
                median,
                low,
                high,
                n: 9,
            }
            .half_width()
        };
        assert_eq!(of(90.0, 100.0, 130.0), Some(0.3));
        assert_eq!(of(50.0, 100.0, 130.0), Some(0.5));
        assert_eq!(of(0.0, 0.0, 1.0), None);
    }

    #[test]
    fn few_samples_say_what_they_are_worth() {
        for (n, worth) in [(1, 0.0), (2, 0.5), (3, 0.75), (4, 0.875), (5, 0.9375)] {
            assert!((confidence(n) - worth).abs() < 1e-12, "n = {n}");
        }
    }

    #[test]
    fn one_sample_is_its_own_interval() {
        let one = estimate(&[3.0]).unwrap();
        assert_eq!((one.median, one.low, one.high, one.n), (3.0, 3.0, 3.0, 1));
    }

    #[test]
    fn nothing_and_not_a_number_have_no_median() {
        assert_eq!(estimate(&[]), None);
        assert_eq!(estimate(&[1.0, f64::NAN]), None);
        assert_eq!(estimate(&[1.0, f64::INFINITY]), None);
    }

    #[test]
    fn a_few_wild_samples_do_not_move_it() {
        let mut samples = vec![10.0; 40];
        samples.extend([1e6; 8]);
        let robust = estimate(&samples).unwrap();
        assert_eq!((robust.low, robust.median, robust.high), (10.0, 10.0, 10.0));
    }

    /// Returns numbers from a fixed generator (xorshift64*), so that the simulation is the same in every run.
    fn uniform(state: &mut u64) -> f64 {
        *state ^= *state >> 12;
        *state ^= *state << 25;
        *state ^= *state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1u64 << 53) as f64
    }

    #[test]
    fn covers_the_true_median_as_often_as_it_says() {
        let mut state = 0x1234_5678_9abc_def1;
        for n in [6, 11, 30, 101] {
            let covered = (0..4_000)
                .filter(|_| {
                    // A skewed distribution, like that of times; its median is exactly ln 2.
                    let samples: Vec<f64> =
                        (0..n).map(|_| -(1.0 - uniform(&mut state)).ln()).collect();
                    let estimate = estimate(&samples).unwrap();
                    (estimate.low..=estimate.high).contains(&std::f64::consts::LN_2)
                })
                .count() as f64
                / 4_000.0;
            assert!(
                (covered - confidence(n)).abs() < 0.015,
                "n = {n}: {covered} against {}",
                confidence(n)
            );
        }
    }

    proptest! {
        #[test]
        fn bounds_hold_the_median(samples in prop::collection::vec(-1e12..1e12f64, 1..300)) {
            let e = estimate(&samples).unwrap();
            prop_assert!(e.low <= e.median && e.median <= e.high);
            prop_assert!(samples.contains(&e.low) && samples.contains(&e.high));
            prop_assert_eq!(e.n, samples.len());
        }

        #[test]
        fn order_does_not_matter(mut samples in prop::collection::vec(-1e3..1e3f64, 1..50)) {
            let forward = estimate(&samples);
            samples.reverse();
            prop_assert_eq!(forward, estimate(&samples));
        }

        #[test]
        fn shifts_with_the_samples(samples in prop::collection::vec(0u32..1_000_000, 1..50)) {
            let plain: Vec<f64> = samples.iter().copied().map(f64::from).collect();
            let shifted: Vec<f64> = plain.iter().map(|x| x + 512.0).collect();
            let (a, b) = (estimate(&plain).unwrap(), estimate(&shifted).unwrap());
            prop_assert_eq!((a.low + 512.0, a.median + 512.0, a.high + 512.0), (b.low, b.median, b.high));
        }

        #[test]
        fn confidence_is_reached(n in 6usize..5_000) {
            let (rank, confidence) = interval(n, MISSES);
            prop_assert!(rank < n / 2 || n < 2);
            prop_assert!((1.0 - MISSES..1.0).contains(&confidence), "{}", confidence);
        }
    }
}
