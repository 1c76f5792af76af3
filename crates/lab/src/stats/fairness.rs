//! How evenly the operations were divided among the threads.

use serde::{Deserialize, Serialize};

/// Fairness of one cell, from the operations of each thread and from the order of owners.
///
/// A single thread, with no other to be unfair to, gets the fair values: 1, 1 and 0.5.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Fairness {
    /// Jain's index, (Σx)² / (n Σx²): 1 if all threads did the same number, 1/n if one did everything (R. Jain, D. Chiu, W. Hawe,
    /// DEC-TR-301, 1984).
    pub jain: f64,
    /// Operations of the slowest thread over those of the fastest: 1 is fair, 0 means starved.
    pub min_over_max: f64,
    /// Share of all operations that the busier half of the threads did: 0.5 is fair, 1 means that the other half starved (D. Dice
    /// and A. Kogan, "Compact NUMA-aware Locks", EuroSys 2019). With an odd number of threads, the middle one counts half to each
    /// side.
    pub dice: f64,
    /// Most consecutive acquisitions by one thread; `None` if the order was not watched.
    pub longest_run: Option<u64>,
}

impl Fairness {
    /// Computes the fairness from each thread's operations; `None` if there are no threads or no operations.
    pub fn of(operations: &[u64], longest_run: Option<u64>) -> Option<Fairness> {
        let mut shares: Vec<f64> = operations.iter().map(|count| *count as f64).collect();
        shares.sort_unstable_by(|a, b| b.total_cmp(a));
        let (fastest, slowest) = (*shares.first()?, *shares.last()?);
        if fastest == 0.0 {
            return None;
        }
        // Relative to the fastest, so that the squares of large counts cannot overflow.
        for share in &mut shares {
            *share /= fastest;
        }
        let n = shares.len();
        let sum: f64 = shares.iter().sum();
        let squares: f64 = shares.iter().map(|share| share * share).sum();
        let mut busier: f64 = shares[..n / 2].iter().sum();
        if n % 2 == 1 {
            busier += shares[n / 2] / 2.0;
        }
        Some(Fairness {
            // Rounding may push an even distribution slightly beyond its bounds.
            jain: (sum * sum / (n as f64 * squares)).clamp(1.0 / n as f64, 1.0),
            min_over_max: slowest / fastest,
            dice: (busier / sum).clamp(0.5, 1.0),
            longest_run,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(operations: &[u64]) -> Fairness {
        Fairness::of(operations, None).unwrap()
    }

    #[test]
    fn all_equal_is_fair() {
        for n in 1..9 {
            let even = of(&vec![7_000_000_000; n]);
            assert_eq!(
                (even.jain, even.min_over_max, even.dice),
                (1.0, 1.0, 0.5),
                "{n} threads"
            );
        }
    }

    #[test]
    fn monopoly_is_not() {
        let monopoly = of(&[0, 12, 0, 0]);
        assert_eq!(
            (monopoly.jain, monopoly.min_over_max, monopoly.dice),
            (0.25, 0.0, 1.0)
        );
    }

    #[test]
    fn known_uneven_shares() {
        let uneven = of(&[1, 3]);
        assert!((uneven.jain - 16.0 / 20.0).abs() < 1e-12);
        assert!((uneven.min_over_max - 1.0 / 3.0).abs() < 1e-12);
        assert!((uneven.dice - 0.75).abs() < 1e-12);
        // 4 and half of 2, of 7.
        assert!((of(&[2, 1, 4]).dice - 5.0 / 7.0).abs() < 1e-12);
    }

    #[test]
    fn nothing_done_says_nothing() {
        assert_eq!(Fairness::of(&[], None), None);
        assert_eq!(Fairness::of(&[0, 0], Some(0)), None);
    }

    proptest! {
        #[test]
        fn within_their_bounds(operations in prop::collection::vec(any::<u64>(), 1..80)) {
            if let Some(fairness) = Fairness::of(&operations, None) {
                let least = 1.0 / operations.len() as f64;
                prop_assert!((least..=1.0).contains(&fairness.jain));
                prop_assert!((0.0..=1.0).contains(&fairness.min_over_max));
                prop_assert!((0.5..=1.0).contains(&fairness.dice));
            }
        }

        #[test]
        fn scale_does_not_matter(operations in prop::collection::vec(1u64..1_000, 1..40)) {
            let tenfold: Vec<u64> = operations.iter().map(|count| count * 10).collect();
            let (a, b) = (of(&operations), of(&tenfold));
            prop_assert!((a.jain - b.jain).abs() < 1e-9 && (a.dice - b.dice).abs() < 1e-9);
        }
    }
}
