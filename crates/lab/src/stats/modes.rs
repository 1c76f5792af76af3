//! Two modes: figures that fall into two groups, far apart.
//!
//! A median of such figures is that of the group which happens to be larger, and its interval spans both. The rule looks at the
//! logarithms: it divides the sorted figures at their largest gap, with at least a quarter of them (and three) on each side. They
//! have two modes if the gap is wide, compared with the middle three quarters of either group: 16 times as wide over the number of
//! figures, and at least half as wide. Few figures of one mode have a wide gap by chance, hence the first bound. Of made-up
//! figures with one mode (normal, lognormal, exponential, uniform, Cauchy), the rule finds two modes in at most 5 % of the cases;
//! see the tests.

use serde::{Deserialize, Serialize};

use super::estimate::median_of_sorted;

/// Two groups of figures, in the unit of the figures.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Modes {
    /// The median of the lower group.
    pub low: f64,
    /// The median of the higher group.
    pub high: f64,
    /// Figures in the lower group.
    pub in_low: usize,
    /// Figures in the higher group.
    pub in_high: usize,
}

/// Modes that are closer to each other are not worth a reader's attention.
const LEAST_RATIO: f64 = 1.2;
/// The fewest figures in a group.
const LEAST_IN_GROUP: usize = 3;

/// Returns the two modes of `figures`, if they have two. Figures that are not positive have no logarithm and are left out.
pub fn modes(figures: &[f64]) -> Option<Modes> {
    let mut logs: Vec<f64> = figures
        .iter()
        .filter(|figure| figure.is_finite() && **figure > 0.0)
        .map(|figure| figure.ln())
        .collect();
    logs.sort_unstable_by(f64::total_cmp);
    let n = logs.len();
    let least = LEAST_IN_GROUP.max(n.div_ceil(4));
    let (gap, split) = (least..=n.checked_sub(least)?)
        .map(|split| (logs[split] - logs[split - 1], split))
        .max_by(|a, b| a.0.total_cmp(&b.0))?;
    let (low, high) = logs.split_at(split);
    let width = middle_width(low).max(middle_width(high));
    let is_wide = gap > width * (16.0 / n as f64).max(0.5);
    let (low_median, high_median) = (median_of_sorted(low), median_of_sorted(high));
    (is_wide && high_median - low_median >= LEAST_RATIO.ln()).then(|| Modes {
        low: low_median.exp(),
        high: high_median.exp(),
        in_low: low.len(),
        in_high: high.len(),
    })
}

/// The width of the middle three quarters.
fn middle_width(sorted: &[f64]) -> f64 {
    let left_out = sorted.len() / 8;
    sorted[sorted.len() - 1 - left_out] - sorted[left_out]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::stats::made_up::{normal, uniform};

    type Draw = fn(&mut Random) -> f64;

    const ONE_MODE: [(&str, Draw); 6] = [
        ("normal", |random| (0.3 * normal(random)).exp()),
        ("lognormal", |random| (0.8 * normal(random)).exp()),
        ("exponential", |random| -uniform(random).ln()),
        ("exponential, shifted", |random| 1.0 - uniform(random).ln()),
        ("uniform", |random| 1.0 + 2.0 * uniform(random)),
        ("Cauchy", |random| {
            (1.0 + 0.2 * (std::f64::consts::PI * (uniform(random) - 0.5)).tan()).max(1e-3)
        }),
    ];

    /// The share of trials in which the rule finds two modes.
    fn found(n: usize, draw: Draw) -> f64 {
        const TRIALS: u32 = 2_000;
        let mut random = Random::new(5);
        let found = (0..TRIALS).filter(|_| {
            let figures: Vec<f64> = (0..n).map(|_| draw(&mut random)).collect();
            modes(&figures).is_some()
        });
        found.count() as f64 / f64::from(TRIALS)
    }

    #[test]
    fn one_mode_is_seldom_taken_for_two() {
        for (kind, draw) in ONE_MODE {
            for n in [6, 7, 9, 11, 14, 18, 27, 36, 72, 200] {
                let share = found(n, draw);
                assert!(share <= 0.05, "{kind}, {n} figures: {share}");
            }
        }
    }

    #[test]
    fn two_modes_are_found() {
        let half = |random: &mut Random| {
            let middle = if uniform(random) < 0.5 { 138.0 } else { 300.0 };
            middle * (0.1 * normal(random)).exp()
        };
        for (n, least) in [(9, 0.4), (18, 0.9), (36, 0.95)] {
            assert!(found(n, half) >= least, "{n}: {}", found(n, half));
        }
        let figures = [
            138.0, 301.0, 140.0, 139.0, 298.0, 300.0, 137.0, 302.0, 138.5,
        ];
        let modes = modes(&figures).unwrap();
        assert_eq!((modes.in_low, modes.in_high), (5, 4));
        assert!((modes.low - 138.5).abs() < 0.01 && (modes.high - 300.5).abs() < 0.01);
    }

    #[test]
    fn few_figures_close_modes_and_wild_ones_are_no_modes() {
        assert_eq!(modes(&[]), None);
        assert_eq!(modes(&[1.0, 1.0, 9.0, 9.0, 9.0]), None);
        assert_eq!(modes(&[1.0, 1.0, 1.0, 1.1, 1.1, 1.1]), None);
        // One in ten slices was disturbed.
        let mut wild = vec![10.0; 18];
        wild.extend([80.0, 90.0]);
        assert_eq!(modes(&wild), None);
        assert!(modes(&[1.0, 1.0, 1.0, 2.0, 2.0, 2.0, f64::NAN, -1.0]).is_some());
    }
}
