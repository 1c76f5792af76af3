//! The buckets of a histogram of times.

/// The longest times of all buckets but the last, nanoseconds: every second power of two, from 256 ns to 17 s. A series for each power of
/// two would double the number of series, and tell a factor of two from a factor of four.
pub const BOUNDS_NS: [u64; 14] = {
    let mut bounds = [0; 14];
    let mut at = 0;
    while at < bounds.len() {
        bounds[at] = 1 << (FIRST + STEP * at);
        at += 1;
    }
    bounds
};
const FIRST: usize = 8;
const STEP: usize = 2;

/// How many times lie in each bucket. The last one has no bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Buckets(pub [u64; BOUNDS_NS.len() + 1]);

impl Buckets {
    /// Converts counts by powers of two: entry `i` counts the times from 2^i up to 2^(i+1) ns.
    pub fn of(log2: &[u64]) -> Self {
        let mut buckets = Self::default();
        for (power, &count) in log2.iter().enumerate() {
            let bound = (power + 1).saturating_sub(FIRST).div_ceil(STEP);
            let bucket = &mut buckets.0[bound.min(BOUNDS_NS.len())];
            *bucket = bucket.saturating_add(count);
        }
        buckets
    }

    /// Returns the number of times in all buckets.
    pub fn sum(&self) -> u64 {
        self.0.iter().copied().fold(0, u64::saturating_add)
    }

    /// Applies `of` to each bucket of both.
    pub fn with(&self, other: &Self, of: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|at| of(self.0[at], other.0[at])))
    }

    /// Returns the same distribution with `sum` times in it, or nothing if there are none here.
    pub fn scaled_to(&self, sum: u64) -> Self {
        let here = u128::from(self.sum());
        if here == 0 {
            return Self::default();
        }
        // The quotient is at most `sum`.
        let share = |count: u64| (u128::from(count) * u128::from(sum) / here) as u64;
        let mut scaled = Self(self.0.map(share));
        // What rounding has left over belongs to the largest bucket, where it changes least.
        let largest = (0..self.0.len()).max_by_key(|&at| self.0[at]);
        let left = sum.saturating_sub(scaled.sum());
        if let Some(at) = largest {
            scaled.0[at] = scaled.0[at].saturating_add(left);
        }
        scaled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_time_is_in_the_first_bucket_that_it_fits_into() {
        assert_eq!((BOUNDS_NS[0], BOUNDS_NS[13]), (256, 17_179_869_184));
        for power in 0..64_u32 {
            let mut log2 = vec![0; power as usize + 1];
            log2[power as usize] = 3;
            let buckets = Buckets::of(&log2);
            let longest = (2_u128 << power) - 1;
            let expected = BOUNDS_NS.iter().position(|&it| longest <= u128::from(it));
            let expected = expected.unwrap_or(BOUNDS_NS.len());
            assert_eq!((buckets.0[expected], buckets.sum()), (3, 3), "2^{power}");
        }
    }

    proptest! {
        #[test]
        fn no_time_is_lost(log2 in proptest::collection::vec(0_u64..1 << 50, 0..64)) {
            prop_assert_eq!(Buckets::of(&log2).sum(), log2.iter().sum::<u64>());
        }

        #[test]
        fn a_scaled_distribution_has_the_sum_asked_for(log2 in proptest::collection::vec(0_u64..1 << 40, 1..40), sum: u64) {
            let buckets = Buckets::of(&log2);
            let scaled = buckets.scaled_to(sum);
            prop_assert_eq!(scaled.sum(), if buckets.sum() == 0 { 0 } else { sum });
            for at in 0..buckets.0.len() {
                prop_assert!(buckets.0[at] > 0 || scaled.0[at] == 0);
            }
        }
    }
}
