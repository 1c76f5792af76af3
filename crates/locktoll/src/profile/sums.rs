//! Counts and waits, added up.

use locktoll_recording::histogram::BUCKETS;
use locktoll_recording::reader::Count;

use super::{LockKind, WaitSplit, WaitTimes, quantile};

/// Acquisitions, waits and failed attempts, added up. Saturates where a damaged recording would overflow.
#[derive(Clone, Default)]
pub struct Sums {
    /// Times acquired, or waits for a signal that returned.
    pub acquisitions: u64,
    /// Of those, the ones that were waited for.
    pub contended: u64,
    /// Attempts that failed.
    pub try_failed: u64,
    /// Waits given up at their deadline.
    pub timed_out: u64,
    /// Time waited, nanoseconds.
    pub wait_total_ns: u64,
    /// Of waits for a condition, the time from the signal on.
    pub relock_ns: u64,
    wait_max_ns: u64,
    runnable_ns: u64,
    examined: u64,
    examined_ns: u64,
    examined_cpu_ns: u64,
    voluntary_switches: u64,
    involuntary_switches: u64,
    /// Most locks are never waited for.
    histogram: Option<Box<[u64; BUCKETS]>>,
}

/// Adds without overflow.
pub fn plus(sum: &mut u64, more: u64) {
    *sum = sum.saturating_add(more);
}

impl Sums {
    /// Takes in one record.
    pub fn add(&mut self, count: &Count) {
        plus(&mut self.acquisitions, count.acquisitions);
        let Some(waited) = &count.contention else {
            return;
        };
        plus(&mut self.contended, waited.contended);
        plus(&mut self.try_failed, waited.try_failed);
        plus(&mut self.timed_out, waited.timed_out);
        plus(&mut self.wait_total_ns, waited.wait_total_ns);
        plus(&mut self.relock_ns, waited.relock_ns);
        self.wait_max_ns = self.wait_max_ns.max(waited.wait_max_ns);
        plus(&mut self.runnable_ns, waited.runnable_ns);
        plus(&mut self.examined, waited.examined);
        plus(&mut self.examined_ns, waited.examined_ns);
        plus(&mut self.examined_cpu_ns, waited.examined_cpu_ns);
        plus(&mut self.voluntary_switches, waited.voluntary_switches);
        plus(&mut self.involuntary_switches, waited.involuntary_switches);
        let histogram = self.histogram.get_or_insert_with(|| Box::new([0; BUCKETS]));
        for (sum, more) in histogram.iter_mut().zip(waited.wait_histogram) {
            plus(sum, more);
        }
    }

    /// The longest wait, if there was one.
    pub fn wait_max_ns(&self) -> Option<u64> {
        let histogram = self.histogram.as_ref()?;
        histogram
            .iter()
            .any(|&count| count > 0)
            .then_some(self.wait_max_ns)
    }

    /// As the profile shows them.
    pub fn wait_times(&self) -> WaitTimes {
        let buckets: &[u64] = self.histogram.as_ref().map_or(&[], |buckets| &buckets[..]);
        let at = |share| quantile::quantile_ns(buckets, share, self.wait_max_ns);
        WaitTimes {
            total: self.wait_total_ns,
            max: self.wait_max_ns(),
            p50: at(0.5),
            p99: at(0.99),
            log2: without_trailing_zeros(buckets),
        }
    }

    /// What the waiting consisted of. The share of processor time in the examined waits stands for all; what was
    /// measured at every wait is taken as it is; the rest was blocked.
    pub fn wait_split(&self, kind: LockKind) -> Option<WaitSplit> {
        let total = self.wait_total_ns;
        if total == 0 {
            return None;
        }
        let spinning_ns = match (self.examined_ns, kind) {
            // Whoever waits for a spin lock spins.
            (0, LockKind::Spin) => total,
            (0, _) => 0,
            (examined, _) => {
                let cpu = u128::from(self.examined_cpu_ns.min(examined));
                let share = u128::from(total) * cpu / u128::from(examined);
                share as u64
            }
        };
        let runnable_ns = self.runnable_ns.min(total - spinning_ns);
        Some(WaitSplit {
            spinning_ns: Some(spinning_ns),
            runnable_ns,
            blocked_ns: total - spinning_ns - runnable_ns,
            examined: self.examined,
            voluntary_switches: self.voluntary_switches,
            involuntary_switches: self.involuntary_switches,
        })
    }
}

/// The buckets as the profile shows them.
pub fn without_trailing_zeros(buckets: &[u64]) -> Vec<u64> {
    let zeros = buckets
        .iter()
        .rev()
        .take_while(|&&count| count == 0)
        .count();
    buckets[..buckets.len() - zeros].to_vec()
}
