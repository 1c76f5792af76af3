//! From samples to CPU time with an interval.

use locktoll_lab::stats::Estimate;

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.959_964;

/// Samples as they were taken.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    /// All samples of the program that there are.
    pub all: u64,
    /// Those of them that were not examined: any of them could be of any kind.
    pub unexamined: u64,
    /// Samples that are missing, which could be of any kind, too.
    pub lost: u64,
    /// The CPU time that all of them represent, nanoseconds.
    pub cpu_ns: f64,
}

impl Drawn {
    /// Returns the CPU time of `samples` of them, which represent `ns`, with its 95 % interval: E. B. Wilson's for a share (1927),
    /// widened by the samples that are missing or were not examined.
    pub fn estimate(&self, samples: u64, ns: f64) -> Estimate {
        let all = self.all.max(samples);
        let total = all + self.lost;
        let most = (samples + self.unexamined + self.lost).min(total);
        let low = wilson(samples as f64, total as f64).0;
        let high = wilson(most as f64, total as f64).1;
        let share = match all {
            0 => 0.0,
            all => samples as f64 / all as f64,
        };
        let (low_ns, high_ns) = match share > 0.0 {
            // Threads' samples have different weights, which this keeps.
            true => (ns * (low / share).min(1.0), ns * (high / share).max(1.0)),
            false => (0.0, self.cpu_ns * high),
        };
        Estimate {
            median: ns,
            low: low_ns,
            high: high_ns.min(self.cpu_ns.max(ns)),
            n: samples as usize,
        }
    }
}

/// Returns the bounds of Wilson's interval for `hits` of `all`.
fn wilson(hits: f64, all: f64) -> (f64, f64) {
    if all <= 0.0 {
        return (0.0, 1.0);
    }
    let share = hits / all;
    let z = Z * Z / all;
    let middle = share + z / 2.0;
    let half = Z * (share * (1.0 - share) / all + z / (4.0 * all)).sqrt();
    let bound = |it: f64| (it / (1.0 + z)).clamp(0.0, 1.0);
    (bound(middle - half), bound(middle + half))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_samples_is_half_of_the_time_give_or_take() {
        let drawn = Drawn {
            all: 1_000,
            unexamined: 0,
            lost: 0,
            cpu_ns: 2e9,
        };
        let estimate = drawn.estimate(500, 1e9);
        assert_eq!((estimate.median, estimate.n), (1e9, 500));
        // Wilson's interval for 500 of 1,000 is 0.469 to 0.531.
        assert!((estimate.low / 2e9 - 0.469).abs() < 0.001, "{estimate:?}");
        assert!((estimate.high / 2e9 - 0.531).abs() < 0.001, "{estimate:?}");
    }

    #[test]
    fn lost_samples_widen_the_interval_on_both_sides() {
        let whole = Drawn {
            all: 1_000,
            unexamined: 0,
            lost: 0,
            cpu_ns: 1e9,
        };
        let holes = Drawn { lost: 100, ..whole };
        let (whole, holes) = (whole.estimate(300, 3e8), holes.estimate(300, 3e8));
        assert!(holes.low < whole.low && holes.high > whole.high);
        assert_eq!(holes.median, whole.median);
    }

    #[test]
    fn samples_that_were_not_examined_may_all_be_of_the_kind() {
        let drawn = Drawn {
            all: 400,
            unexamined: 250,
            lost: 0,
            cpu_ns: 400e6,
        };
        let estimate = drawn.estimate(120, 120e6);
        // They are among the 400: from 120 up to 370 of these, with what chance adds.
        assert!(
            estimate.low < 120e6 && estimate.high > 370e6,
            "{estimate:?}"
        );
        let all_of_them = drawn.estimate(150, 150e6);
        assert_eq!(all_of_them.high, 400e6);
    }

    #[test]
    fn no_sample_is_not_no_time() {
        let drawn = Drawn {
            all: 100,
            unexamined: 0,
            lost: 0,
            cpu_ns: 1e9,
        };
        let estimate = drawn.estimate(0, 0.0);
        assert_eq!((estimate.median, estimate.low), (0.0, 0.0));
        assert!(estimate.high > 1e7 && estimate.high < 1e8, "{estimate:?}");
        let nothing = Drawn {
            all: 0,
            unexamined: 0,
            lost: 0,
            cpu_ns: 0.0,
        };
        assert_eq!(nothing.estimate(0, 0.0).high, 0.0);
    }

    proptest::proptest! {
        #[test]
        fn the_bounds_hold_the_estimate(samples in 0_u64..1_000, other in 0_u64..1_000, unexamined in 0_u64..1_000, lost in 0_u64..1_000) {
            let all = samples + other + unexamined;
            let drawn = Drawn { all, unexamined, lost, cpu_ns: all as f64 * 1e6 };
            let estimate = drawn.estimate(samples, samples as f64 * 1e6);
            proptest::prop_assert!(estimate.low <= estimate.median && estimate.median <= estimate.high);
            proptest::prop_assert!(estimate.low >= 0.0 && estimate.high.is_finite());
            // Those that were not examined count as a whole, whatever the others are.
            proptest::prop_assert!(estimate.high >= (samples + unexamined) as f64 * 1e6 * 0.999);
        }
    }
}
