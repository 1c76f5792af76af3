//! One contender against a base that ran more than once in every round.
//!
//! A round is a *block*: its runs share the machine's state in that time, and their order was drawn at random. If the contender
//! does not differ from the base, every rank that it may take among the runs of its block is therefore equally probable. This
//! holds whatever the noise: skewed, in states that last for rounds, or drifting. The sum of its ranks over the blocks has a
//! known distribution (the rank sum test in strata: P. van Elteren, 1960; by the argument of R. A. Fisher, *The Design of
//! Experiments*, 1935, section 21: the experimenter drew the order).
//!
//! Dividing the contender's figures by a factor before ranking them tests that factor, and the factors that are not rejected form
//! the interval: two order statistics of the ratios of the contender to each base run of its own block. With one base run per
//! block, that is the interval of [`estimate`](super::estimate). With two, five blocks are enough for 95 %, even leaving out one
//! wild ratio at each end; the other interval needs six and cannot leave out any.

use super::Estimate;

/// Required probability that the interval contains the true ratio.
const WANTED: f64 = 0.95;

/// One round: the figures of the base, and the contender's figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// One figure for each run of the base.
    pub base: Vec<f64>,
    /// The contender.
    pub other: f64,
}

/// Ratios of a contender to its base, with the distribution of the number of ratios below the true one.
#[derive(Clone, Debug, PartialEq)]
pub struct Blocks {
    /// Sorted.
    ratios: Vec<f64>,
    /// Probability that at most this many ratios lie below the true one.
    at_most: Vec<f64>,
    blocks: usize,
}

impl Blocks {
    /// Computes the ratios. Blocks with a figure that is not positive and finite are left out; `None` if none remains.
    pub fn new(blocks: &[Block]) -> Option<Self> {
        let mut ratios = Vec::new();
        let mut probability = vec![1.0];
        let mut used = 0;
        for block in blocks {
            let of_block: Vec<f64> = block.base.iter().map(|base| block.other / base).collect();
            let usable = |it: &f64| it.is_finite() && *it > 0.0;
            let sound = block.base.iter().all(usable) && of_block.iter().all(usable);
            if of_block.is_empty() || !sound {
                continue;
            }
            probability = with_one_more(&probability, of_block.len());
            ratios.extend(of_block);
            used += 1;
        }
        if used == 0 {
            return None;
        }
        ratios.sort_unstable_by(f64::total_cmp);
        let mut sum = 0.0;
        let add_up = |p: &f64| {
            sum += p;
            sum
        };
        let at_most = probability.iter().map(add_up).collect();
        Some(Self {
            ratios,
            at_most,
            blocks: used,
        })
    }

    /// Returns the ratio, contender over base: the median of all ratios, and its 95 % interval, or the widest available one if
    /// there are too few blocks for that. Its `n` counts blocks.
    pub fn estimate(&self) -> Estimate {
        self.interval(1.0 - WANTED)
    }

    /// Returns the same with an interval that misses the true ratio with at most this probability, if there are enough blocks.
    pub fn interval(&self, misses: f64) -> Estimate {
        let ratios = &self.ratios;
        let n = ratios.len();
        let mut rank = 0;
        while rank + 1 < n.div_ceil(2) && 2.0 * self.at_most[rank + 1] <= misses {
            rank += 1;
        }
        Estimate {
            median: ratios[(n - 1) / 2] / 2.0 + ratios[n / 2] / 2.0,
            low: ratios[rank],
            high: ratios[n - 1 - rank],
            n: self.blocks,
        }
    }

    /// Returns the probability of ratios as low as these if the true one were `factor` or more.
    pub fn p_below(&self, factor: f64) -> f64 {
        let not_below = self.ratios.iter().filter(|ratio| **ratio >= factor).count();
        self.at_most[not_below].min(1.0)
    }

    /// Returns the probability of ratios as high as these if the true one were `factor` or less.
    pub fn p_above(&self, factor: f64) -> f64 {
        let not_above = self.ratios.iter().filter(|ratio| **ratio <= factor).count();
        self.at_most[not_above].min(1.0)
    }

    /// Returns the number of blocks.
    pub fn rounds(&self) -> usize {
        self.blocks
    }

    /// Returns the largest ratio.
    pub fn greatest(&self) -> f64 {
        self.ratios[self.ratios.len() - 1]
    }

    /// Returns the smallest ratio.
    pub fn least(&self) -> f64 {
        self.ratios[0]
    }
}

/// Returns the distribution of a sum after adding one more number, which is 0 to `most` with equal probability.
fn with_one_more(probability: &[f64], most: usize) -> Vec<f64> {
    let mut sum = vec![0.0; probability.len() + most];
    for (so_far, p) in probability.iter().enumerate() {
        for rank in 0..=most {
            sum[so_far + rank] += p / (most + 1) as f64;
        }
    }
    sum
}

/// Returns which of these tests are significant, such that at most `level` of all such families contain even one error (S. Holm,
/// 1979).
pub fn holm(p: &[f64], level: f64) -> Vec<bool> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|a, b| p[*a].total_cmp(&p[*b]));
    let mut significant = vec![false; p.len()];
    for (rank, &index) in order.iter().enumerate() {
        if p[index] * (p.len() - rank) as f64 > level {
            break;
        }
        significant[index] = true;
    }
    significant
}

#[cfg(test)]
mod against_bootstrap;
#[cfg(test)]
mod tests;
