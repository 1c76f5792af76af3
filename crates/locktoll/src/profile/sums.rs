//! Counts and waits, added up.

use locktoll_recording::histogram::BUCKETS;
use locktoll_recording::reader::Count;

use super::{WaitTimes, quantile};

/// Waits and failed attempts, added up.
#[derive(Clone)]
pub struct Sums {
    /// Times acquired.
    pub acquisitions: u64,
    /// Acquisitions that were waited for.
    pub contended: u64,
    /// Attempts that failed.
    pub try_failed: u64,
    /// Waits given up at their deadline.
    pub timed_out: u64,
    /// Time waited, nanoseconds.
    pub wait_total_ns: u64,
    wait_max_ns: u64,
    histogram: [u64; BUCKETS],
}

impl Sums {
    /// Nothing yet.
    pub const ZERO: Self = Self {
        acquisitions: 0,
        contended: 0,
        try_failed: 0,
        timed_out: 0,
        wait_total_ns: 0,
        wait_max_ns: 0,
        histogram: [0; BUCKETS],
    };

    /// Saturates where a damaged recording would overflow.
    pub fn add(&mut self, count: &Count) {
        let plus = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        plus(&mut self.acquisitions, count.acquisitions);
        if let Some(waited) = &count.contention {
            plus(&mut self.contended, waited.contended);
            plus(&mut self.try_failed, waited.try_failed);
            plus(&mut self.timed_out, waited.timed_out);
            plus(&mut self.wait_total_ns, waited.wait_total_ns);
            self.wait_max_ns = self.wait_max_ns.max(waited.wait_max_ns);
            for (sum, more) in self.histogram.iter_mut().zip(waited.wait_histogram) {
                plus(sum, more);
            }
        }
    }

    /// As the profile shows them.
    pub fn wait_times(&self) -> WaitTimes {
        let waited = self.histogram.iter().any(|&count| count > 0);
        let used = BUCKETS - self.histogram.iter().rev().take_while(|&&n| n == 0).count();
        let at = |share| quantile::quantile_ns(&self.histogram, share, self.wait_max_ns);
        WaitTimes {
            total: self.wait_total_ns,
            max: waited.then_some(self.wait_max_ns),
            p50: at(0.5),
            p99: at(0.99),
            log2: self.histogram[..used].to_vec(),
        }
    }
}
