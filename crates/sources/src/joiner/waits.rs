//! Waits, added up.

use super::quantile::quantile_ns;
use locktoll_results::profile::WaitTimes;

/// Waits that ended. The sums saturate where a damaged recording would overflow them.
#[derive(Clone, Debug, Default)]
pub struct Waits {
    /// Calls that had to wait.
    pub contended: u64,
    /// Waits that ended at their deadline.
    pub timed_out: u64,
    /// Their total time, in nanoseconds.
    pub total_ns: u64,
    /// The longest wait; `None` if nothing waited.
    pub max_ns: Option<u64>,
    /// The time from the last release to the end of the wait, in nanoseconds.
    pub runnable_ns: u64,
    /// By powers of two of their length. Empty until something waits: most locks are never waited for.
    pub log2: Vec<u64>,
}

impl Waits {
    /// Returns the times as the profile shows them.
    pub fn times(&self) -> WaitTimes {
        let at = |share| quantile_ns(&self.log2, share, self.max_ns.unwrap_or(0));
        WaitTimes {
            total: self.total_ns,
            max: self.max_ns,
            p50: at(0.5),
            p99: at(0.99),
            log2: without_trailing_zeros(&self.log2),
        }
    }
}

/// Adds without overflow.
pub fn plus(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

/// Adds a histogram to the sum of others.
pub fn add_log2(sums: &mut Vec<u64>, more: &[u64]) {
    sums.resize(sums.len().max(more.len()), 0);
    for (sum, &more) in sums.iter_mut().zip(more) {
        plus(sum, more);
    }
}

/// Returns the buckets as the profile shows them.
pub fn without_trailing_zeros(buckets: &[u64]) -> Vec<u64> {
    let zeros = buckets
        .iter()
        .rev()
        .take_while(|&&count| count == 0)
        .count();
    buckets[..buckets.len() - zeros].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_of_histograms_is_as_long_as_the_longest_and_shown_without_its_zeros() {
        let mut sums = vec![1, 2];
        add_log2(&mut sums, &[10, 0, 5, 0]);
        add_log2(&mut sums, &[u64::MAX]);
        assert_eq!(sums, [u64::MAX, 2, 5, 0]);
        assert_eq!(without_trailing_zeros(&sums), [u64::MAX, 2, 5]);
        assert_eq!(without_trailing_zeros(&[0, 3]), [0, 3]);
        assert_eq!(without_trailing_zeros(&[0, 0]), [0_u64; 0]);
    }

    #[test]
    fn times_are_those_of_the_waits() {
        let waits = Waits {
            contended: 3,
            total_ns: 3_500,
            max_ns: Some(2_000),
            log2: vec![0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0],
            ..Waits::default()
        };
        let times = waits.times();
        assert_eq!((times.total, times.max), (3_500, Some(2_000)));
        assert_eq!(times.log2, waits.log2[..11]);
        let (p50, p99) = (times.p50.unwrap(), times.p99.unwrap());
        assert!((512.0..1024.0).contains(&p50), "{p50}");
        assert!((1024.0..=2000.0).contains(&p99), "{p99}");
        assert_eq!(Waits::default().times().p50, None);
    }
}
