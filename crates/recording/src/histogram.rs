//! Power-of-two buckets of durations, as lock waits have been reported since the Windows Research Kernel study
//! of 2008 (every spin-lock acquisition into buckets by power of two).
//!
//! Bucket `i` counts durations from 2^i up to, not including, 2^(i+1) nanoseconds. Bucket 0 also takes
//! durations of zero, and the last bucket everything longer.

/// The number of buckets in a histogram. The last one begins at 2^39 ns, a little over nine minutes.
pub const BUCKETS: usize = 40;

/// Returns the bucket for a duration of `duration_ns` nanoseconds: always less than [`BUCKETS`].
#[inline]
#[must_use]
pub const fn bucket_of(duration_ns: u64) -> usize {
    // `| 1` puts zero into the first bucket instead of leaving its logarithm undefined.
    let bucket = (duration_ns | 1).ilog2() as usize;
    if bucket < BUCKETS {
        bucket
    } else {
        BUCKETS - 1
    }
}

/// Returns the shortest duration, in nanoseconds, that falls into `bucket`.
#[must_use]
pub const fn lower_bound_ns(bucket: usize) -> u64 {
    if bucket == 0 { 0 } else { 1 << bucket }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_duration_has_the_bucket_whose_bounds_enclose_it() {
        for (duration_ns, bucket) in [
            (0, 0),
            (1, 0),
            (2, 1),
            (3, 1),
            (4, 2),
            (1023, 9),
            (1024, 10),
            ((1 << 39) - 1, 38),
            (1 << 39, 39),
            (u64::MAX, 39),
        ] {
            assert_eq!(bucket_of(duration_ns), bucket, "{duration_ns} ns");
            assert!(lower_bound_ns(bucket) <= duration_ns);
        }
    }
}
