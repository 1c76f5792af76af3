//! A latency histogram of fixed size.
//!
//! Each value below 16 has its own bucket; above, every power of two is cut into 16 equal buckets, so a bucket is never wider
//! than 1/16 of its values. That is the layout of G. Tene's HdrHistogram with four significant bits. Here it takes a few lines
//! with plain counters, because recording happens inside the measured loop.

use serde::{Deserialize, Serialize};

use super::sparse::Sparse;

/// Buckets in each power of two, and number of values counted exactly at the low end.
const SUB: u64 = 16;
const SUB_BITS: u32 = SUB.trailing_zeros();
/// One row of exact values, then a row for each power of two from 2^4 to 2^63.
pub(super) const BUCKETS: usize = (64 - SUB_BITS as usize + 1) * SUB as usize;

/// Counts of latencies in nanoseconds; 8 KiB whatever is recorded. One for each thread, merged afterwards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(into = "Sparse", try_from = "Sparse")]
pub struct Histogram {
    pub(super) buckets: Box<[u64; BUCKETS]>,
    pub(super) count: u64,
    pub(super) max_ns: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl Histogram {
    /// Makes an empty histogram; this is its only allocation.
    pub fn new() -> Histogram {
        Histogram {
            buckets: Box::new([0; BUCKETS]),
            count: 0,
            max_ns: 0,
        }
    }

    /// Counts one latency.
    #[inline]
    pub fn record(&mut self, ns: u64) {
        self.buckets[bucket_of(ns)] += 1;
        self.count += 1;
        self.max_ns = self.max_ns.max(ns);
    }

    /// Adds all counts of `other`.
    pub fn merge(&mut self, other: &Histogram) {
        for (mine, theirs) in self.buckets.iter_mut().zip(other.buckets.iter()) {
            *mine += theirs;
        }
        self.count += other.count;
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    /// Returns the number of latencies recorded.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the longest latency, exactly; `None` if nothing was recorded.
    pub fn max(&self) -> Option<u64> {
        (self.count > 0).then_some(self.max_ns)
    }

    /// Returns the smallest latency that at least the share `q` of all did not exceed, in nanoseconds, to within 1/16 and never
    /// below the true one; `None` if nothing was recorded.
    ///
    /// A `q` outside 0 to 1 is replaced by the nearer end.
    pub fn quantile(&self, q: f64) -> Option<u64> {
        if self.count == 0 {
            return None;
        }
        let rank = ((q.clamp(0.0, 1.0) * self.count as f64).ceil() as u64).clamp(1, self.count);
        let mut below = 0;
        let found = self.buckets.iter().position(|bucket| {
            below += bucket;
            below >= rank
        });
        found.map(|index| last_in(index).min(self.max_ns))
    }

    /// Returns the median latency in nanoseconds.
    pub fn p50(&self) -> Option<u64> {
        self.quantile(0.5)
    }

    /// Returns the latency that one in a hundred exceeds, in nanoseconds.
    pub fn p99(&self) -> Option<u64> {
        self.quantile(0.99)
    }

    /// Returns the latency that one in a thousand exceeds, in nanoseconds.
    pub fn p99_9(&self) -> Option<u64> {
        self.quantile(0.999)
    }

    /// Returns counts by power of two: entry `i` counts latencies from `2^i` up to, but not including, `2^(i+1)` nanoseconds;
    /// entry 0 also counts those of 0 ns. Ends at the last non-zero entry.
    pub fn log2(&self) -> Vec<u64> {
        let Some(max_ns) = self.max() else {
            return Vec::new();
        };
        let mut rows = vec![0; power_of(max_ns) + 1];
        for (index, count) in self
            .buckets
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
        {
            rows[power_of(last_in(index))] += count;
        }
        rows
    }
}

/// Returns the largest `i` with `2^i <= ns`, and 0 for 0.
fn power_of(ns: u64) -> usize {
    ns.max(1).ilog2() as usize
}

#[inline]
fn bucket_of(ns: u64) -> usize {
    if ns < SUB {
        return ns as usize;
    }
    let shift = ns.ilog2() - SUB_BITS;
    // The leading one and the four bits below it, 16 to 31, within the row of this power of two.
    let leading = ns >> shift;
    (u64::from(shift) * SUB + leading) as usize
}

/// Returns the largest value that falls into bucket `index`.
fn last_in(index: usize) -> u64 {
    let index = index as u64;
    if index < SUB {
        return index;
    }
    let shift = index / SUB - 1;
    let leading = index % SUB + SUB;
    // One less than the first value of the next bucket, without overflow in the last bucket.
    (leading << shift) + ((1 << shift) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(values: &[u64]) -> Histogram {
        let mut histogram = Histogram::new();
        for value in values {
            histogram.record(*value);
        }
        histogram
    }

    #[test]
    fn the_ends_of_the_range_have_buckets() {
        assert_eq!(bucket_of(0), 0);
        assert_eq!(bucket_of(u64::MAX), BUCKETS - 1);
        assert_eq!(last_in(BUCKETS - 1), u64::MAX);
    }

    #[test]
    fn nothing_recorded_has_no_quantile() {
        let empty = Histogram::new();
        assert_eq!((empty.p50(), empty.max()), (None, None));
        assert!(empty.log2().is_empty());
    }

    #[test]
    fn known_quantiles() {
        let histogram = of(&(1..=10).collect::<Vec<_>>());
        assert_eq!(histogram.p50(), Some(5));
        assert_eq!(histogram.quantile(0.0), Some(1));
        assert_eq!(histogram.quantile(1.0), Some(10));
        assert_eq!(histogram.max(), Some(10));
    }

    #[test]
    fn rows_by_power_of_two() {
        let histogram = of(&[0, 1, 2, 3, 4, 7, 8, 1024, 2047]);
        let mut expected = vec![2, 2, 2, 1];
        expected.resize(10, 0);
        expected.push(2);
        assert_eq!(histogram.log2(), expected);
    }

    proptest! {
        #[test]
        fn every_value_falls_into_the_bucket_that_ends_at_or_above_it(ns: u64) {
            let index = bucket_of(ns);
            prop_assert!(last_in(index) >= ns);
            prop_assert!(index == 0 || last_in(index - 1) < ns);
            prop_assert!(last_in(index) - ns <= ns / SUB);
        }

        #[test]
        fn quantiles_are_within_a_bucket_of_the_sorted_samples(
            mut values in prop::collection::vec(0u64..1_000_000_000, 1..200), q in 0.0..=1.0f64
        ) {
            let got = of(&values).quantile(q).unwrap();
            values.sort_unstable();
            let rank = ((q * values.len() as f64).ceil() as usize).clamp(1, values.len());
            let exact = values[rank - 1];
            prop_assert!(exact <= got && got <= exact + exact / SUB, "{} for {}", got, exact);
        }

        #[test]
        fn quantiles_rise(values in prop::collection::vec(any::<u64>(), 1..200)) {
            let histogram = of(&values);
            let rising: Vec<_> = (0..=20).map(|i| histogram.quantile(f64::from(i) / 20.0)).collect();
            prop_assert!(rising.is_sorted());
            prop_assert_eq!(histogram.quantile(1.0), values.iter().max().copied());
        }

        #[test]
        fn merging_is_recording_both(
            a in prop::collection::vec(any::<u64>(), 0..100), b in prop::collection::vec(any::<u64>(), 0..100)
        ) {
            let mut merged = of(&a);
            merged.merge(&of(&b));
            prop_assert_eq!(merged, of(&[a, b].concat()));
        }

        #[test]
        fn rows_hold_every_sample(values in prop::collection::vec(any::<u64>(), 1..100)) {
            let rows = of(&values).log2();
            prop_assert_eq!(rows.iter().sum::<u64>(), values.len() as u64);
            prop_assert!(rows.last() != Some(&0));
        }
    }
}
