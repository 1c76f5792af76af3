//! Quantiles from power-of-two buckets.

use locktoll_recording::histogram::lower_bound_ns;

/// Returns the duration in nanoseconds that a share `quantile` (0 to 1) of the waits did not exceed, or `None` if there were
/// none.
///
/// The bucket is exact. The place within it is interpolated as if waits were spread evenly, so the result is correct to within a
/// factor of two. It is never above the longest wait, `max_ns`.
pub fn quantile_ns(buckets: &[u64], quantile: f64, max_ns: u64) -> Option<f64> {
    // A damaged recording may hold more waits than can be counted.
    let total = buckets.iter().copied().fold(0, u64::saturating_add);
    if total == 0 {
        return None;
    }
    if total == 1 {
        return Some(max_ns as f64);
    }
    let wanted = quantile * total as f64;
    let mut before = 0;
    for (bucket, &count) in buckets.iter().enumerate() {
        let through = u64::saturating_add(before, count);
        if count > 0 && through as f64 >= wanted {
            let low = lower_bound_ns(bucket) as f64;
            // The last bucket does not have an upper bound.
            let high = match buckets.get(bucket + 1) {
                Some(_) => (lower_bound_ns(bucket + 1) as f64).min(max_ns as f64),
                None => max_ns as f64,
            };
            let within = ((wanted - before as f64) / count as f64).clamp(0.0, 1.0);
            return Some(low + within * (high - low).max(0.0));
        }
        before = through;
    }
    Some(max_ns as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wait_is_its_own_quantile() {
        let mut buckets = [0; 40];
        buckets[27] = 1;
        assert_eq!(quantile_ns(&buckets, 0.5, 200_000_000), Some(2e8));
    }

    #[test]
    fn the_bucket_is_right_and_the_longest_wait_bounds_it() {
        let mut buckets = [0; 40];
        assert_eq!(quantile_ns(&buckets, 0.5, 0), None);
        buckets[10] = 98; // 1024..2048 ns
        buckets[20] = 2; // 1.05..2.1 ms
        let p50 = quantile_ns(&buckets, 0.5, 1_500_000).unwrap();
        assert!((1024.0..2048.0).contains(&p50), "{p50}");
        let p99 = quantile_ns(&buckets, 0.99, 1_500_000).unwrap();
        assert!((1_048_576.0..=1_500_000.0).contains(&p99), "{p99}");
        assert_eq!(quantile_ns(&buckets, 1.0, 1_500_000), Some(1_500_000.0));
    }

    proptest::proptest! {
        #[test]
        fn quantiles_lie_within_a_factor_of_two_and_rise(
            mut waits in proptest::collection::vec(2u64..1 << 38, 1..200),
        ) {
            let mut buckets = [0; 40];
            for &wait in &waits {
                buckets[locktoll_recording::histogram::bucket_of(wait)] += 1;
            }
            waits.sort_unstable();
            let max = waits[waits.len() - 1];
            let mut last = 0.0;
            for quantile in [0.01, 0.25, 0.5, 0.9, 0.99, 1.0] {
                let estimate = quantile_ns(&buckets, quantile, max).unwrap();
                let rank = ((quantile * waits.len() as f64).ceil() as usize).clamp(1, waits.len());
                let exact = waits[rank - 1] as f64;
                proptest::prop_assert!(estimate <= exact * 2.0 && estimate >= exact / 2.0);
                proptest::prop_assert!(estimate >= last && estimate <= max as f64);
                last = estimate;
            }
        }
    }
}
