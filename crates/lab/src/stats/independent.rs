//! The comparison of two runs that were made one after the other.
//!
//! Unlike the samples of contenders in one interleaved run ([`ratio_of_pairs`](super::ratio_of_pairs)), those of two runs have no
//! partners: every change of the machine between the runs is in their ratio.

use serde::{Deserialize, Serialize};

use super::{Estimate, MIN_ROUNDS, Verdict, confidence};

/// Required probability that an interval contains the true ratio.
const WANTED: f64 = 0.95;

/// A ratio b/a, and the known bounds of its true value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Ratio {
    /// The ratio itself; `None` where a is zero and b is not, or one of them is negative.
    pub median: Option<f64>,
    /// Lower bound; `None` if there is none.
    pub low: Option<f64>,
    /// Upper bound; `None` if there is none: a may have been zero.
    pub high: Option<f64>,
    /// Probability that the bounds contain the true ratio, at least; `None` if there is no interval because one of the sides was
    /// measured only once.
    pub confidence: Option<f64>,
    /// Number of samples on the side that has fewer.
    pub n: usize,
}

impl Ratio {
    /// Returns the ratio of two medians that were estimated independently of each other.
    ///
    /// The bounds are those of G. Y. Zou and A. Donner (*Construction of confidence limits about effect measures*, Statistics in
    /// Medicine 27, 2008: "MOVER") on the logarithm: the distances from median to bound on each side, skewed as they are, are
    /// combined like independent errors, by their squares. In simulations over smooth, skewed, heavy-tailed and two-peaked times
    /// with 5 to 30 rounds per side, they contained the true ratio in at least 96 of 100 runs.
    pub fn of_medians(a: &Estimate, b: &Estimate) -> Self {
        let n = a.n.min(b.n);
        let sound = |e: &Estimate| e.low <= e.median && e.median <= e.high && e.low >= 0.0;
        let whole = |it: f64| Some(it).filter(|it| it.is_finite());
        if !sound(a) || !sound(b) {
            return Self {
                n,
                ..Self::default()
            };
        }
        let median = match (a.median > 0.0, b.median > 0.0) {
            (true, _) => whole(b.median / a.median),
            (false, false) => Some(1.0),
            (false, true) => None,
        };
        if n < 2 {
            return Self {
                median,
                n,
                ..Self::default()
            };
        }
        let (low, high) = if a.low > 0.0 && b.low > 0.0 {
            let apart = |over: f64, under: f64| (over / under).ln().powi(2);
            let down = (apart(b.median, b.low) + apart(a.high, a.median)).sqrt();
            let up = (apart(b.high, b.median) + apart(a.median, a.low)).sqrt();
            let ratio = b.median / a.median;
            (whole(ratio * (-down).exp()), whole(ratio * up.exp()))
        } else if a.high == 0.0 && b.high == 0.0 {
            (Some(1.0), Some(1.0))
        } else {
            // A side that may be zero has no logarithm: only the worst-case bounds remain.
            let low = if a.high > 0.0 {
                whole(b.low / a.high)
            } else {
                None
            };
            let high = if a.low > 0.0 {
                whole(b.high / a.low)
            } else {
                None
            };
            (low, high)
        };
        Self {
            median,
            low,
            high,
            confidence: Some(confidence(a.n).min(confidence(b.n)).min(WANTED)),
            n,
        }
    }

    /// Returns the ratio between repeated runs, each of which gave one figure, none of them negative.
    ///
    /// The estimate is that of Hodges and Lehmann (1963), the median of all ratios b/a, between bounds that are order statistics
    /// of those ratios (L. E. Moses, 1952; Hollander and Wolfe, *Nonparametric Statistical Methods*, section 4.3). The bounds are
    /// exact whatever the distribution, as long as both sides have the same one except for a factor; with equal values they
    /// contain the true ratio more often than stated. With equal numbers of runs, 95 % needs at least four against four.
    pub fn of_runs(a: &[f64], b: &[f64]) -> Self {
        let n = a.len().min(b.len());
        let usable = |runs: &[f64]| runs.iter().all(|it| it.is_finite() && *it >= 0.0);
        if n == 0 || !usable(a) || !usable(b) {
            return Self {
                n,
                ..Self::default()
            };
        }
        let quotient = |a: f64, b: f64| if a == b { 1.0 } else { b / a };
        let mut ratios: Vec<f64> = a
            .iter()
            .flat_map(|&a| b.iter().map(move |&b| quotient(a, b)))
            .collect();
        ratios.sort_unstable_by(f64::total_cmp);
        let whole = |it: f64| Some(it).filter(|it| it.is_finite());
        let middle = (ratios.len() - 1) / 2;
        let upper = ratios[ratios.len() / 2];
        let median = whole(ratios[middle] / 2.0 + upper / 2.0);
        let (leave_out, confidence) = match n {
            1 if a.len() == b.len() => (0, None),
            _ => {
                let (rank, confidence) = rank_sum_interval(a.len(), b.len());
                (rank, Some(confidence))
            }
        };
        let bound = |it: f64| confidence.and_then(|_| whole(it));
        Self {
            median,
            low: bound(ratios[leave_out]),
            high: bound(ratios[ratios.len() - 1 - leave_out]),
            confidence,
            n,
        }
    }

    /// Judges whether the ratio is a difference, for a figure where less is better.
    ///
    /// It is one if the interval lies wholly beyond `noise`, the factor (at least 1) by which equal things differed in these
    /// runs, and if its confidence is at least that of five rounds.
    pub fn verdict(&self, noise: f64) -> Verdict {
        let enough = self.confidence.is_some_and(|it| it >= least_confidence());
        if !enough || (self.low, self.high) == (None, None) {
            return Verdict::NoDifference;
        }
        if self.lies_above(noise) {
            Verdict::Slower
        } else if self.lies_below(1.0 / noise) {
            Verdict::Faster
        } else {
            Verdict::NoDifference
        }
    }

    /// Returns whether all of the interval lies above `factor`; without an interval, whether the ratio itself does.
    pub fn lies_above(&self, factor: f64) -> bool {
        match self.confidence {
            Some(_) => self.low.is_some_and(|low| low > factor),
            None => self.median.is_some_and(|ratio| ratio > factor),
        }
    }

    /// Returns whether all of the interval lies below `factor`; without an interval, whether the ratio itself does.
    pub fn lies_below(&self, factor: f64) -> bool {
        match self.confidence {
            Some(_) => self.high.is_some_and(|high| high < factor),
            None => self.median.is_some_and(|ratio| ratio < factor),
        }
    }
}

/// Returns the confidence that an interval needs before a difference is claimed: that of [`MIN_ROUNDS`] rounds.
pub fn least_confidence() -> f64 {
    confidence(MIN_ROUNDS)
}

/// Returns the number of ratios to leave out at each end of all n m, and the probability that the rest spans the true ratio: from
/// the exact distribution of Mann and Whitney's rank sum statistic.
fn rank_sum_interval(n: usize, m: usize) -> (usize, f64) {
    // Beyond this many, the tails need more than a double; a subset of the runs would be harmless, but such numbers do
    // not occur in practice.
    let (n, m) = (n.min(60), m.min(60));
    let ways = rank_sum_ways(n, m);
    let all: f64 = ways.iter().sum();
    let mut tail = ways[0] / all;
    let mut rank = 0;
    while rank + 1 < n * m / 2 {
        let next = tail + ways[rank + 1] / all;
        if 2.0 * next > 1.0 - WANTED {
            break;
        }
        (tail, rank) = (next, rank + 1);
    }
    (rank, (1.0 - 2.0 * tail).max(0.0))
}

/// Returns in how many orders of n + m values exactly u pairs are the wrong way round, for u = 0 .. n m: the coefficients of the
/// Gaussian binomial, the product of (1 - q^(m+i)) / (1 - q^i) for i = 1 .. n.
fn rank_sum_ways(n: usize, m: usize) -> Vec<f64> {
    let size = n * m + 1;
    let mut ways = vec![0.0; size];
    ways[0] = 1.0;
    for i in 1..=n {
        for u in (m + i..size).rev() {
            ways[u] -= ways[u - m - i];
        }
        for u in i..size {
            ways[u] += ways[u - i];
        }
    }
    ways
}

#[cfg(test)]
mod tests;
