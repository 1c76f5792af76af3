//! Counts and waits, added up.

use locktoll_recording::reader::Count;

use crate::joiner::{Waits, add_log2, plus};
use locktoll_results::profile::{LockKind, WaitSplit};

/// Acquisitions, waits and failed attempts, added up. The sums saturate where a damaged recording would overflow them.
#[derive(Clone, Default)]
pub struct Sums {
    /// Times acquired, or waits for a signal that returned.
    pub acquisitions: u64,
    /// The waits for them, and waits that were given up.
    pub waits: Waits,
    /// Attempts that failed.
    pub try_failed: u64,
    /// For waits for a condition, the time after the signal.
    pub relock_ns: u64,
    examined: u64,
    examined_ns: u64,
    examined_cpu_ns: u64,
    voluntary_switches: u64,
    involuntary_switches: u64,
}

impl Sums {
    /// Adds one record.
    pub fn add(&mut self, count: &Count) {
        plus(&mut self.acquisitions, count.acquisitions);
        let Some(waited) = &count.contention else {
            return;
        };
        let waits = &mut self.waits;
        plus(&mut waits.contended, waited.contended);
        plus(&mut waits.timed_out, waited.timed_out);
        plus(&mut waits.total_ns, waited.wait_total_ns);
        plus(&mut waits.runnable_ns, waited.runnable_ns);
        if waited.wait_histogram.iter().any(|&count| count > 0) {
            waits.max_ns = waits.max_ns.max(Some(waited.wait_max_ns));
        }
        add_log2(&mut waits.log2, &waited.wait_histogram[..]);
        plus(&mut self.try_failed, waited.try_failed);
        plus(&mut self.relock_ns, waited.relock_ns);
        plus(&mut self.examined, waited.examined);
        plus(&mut self.examined_ns, waited.examined_ns);
        plus(&mut self.examined_cpu_ns, waited.examined_cpu_ns);
        plus(&mut self.voluntary_switches, waited.voluntary_switches);
        plus(&mut self.involuntary_switches, waited.involuntary_switches);
    }

    /// Returns the parts of the waiting time. The share of processor time in the examined waits is applied to all waits. The part
    /// that was measured at every wait is taken as it is; the rest was blocked.
    pub fn wait_split(&self, kind: LockKind) -> Option<WaitSplit> {
        let total = self.waits.total_ns;
        if total == 0 {
            return None;
        }
        let spinning_ns = match (self.examined_ns, kind) {
            // A thread that waits for a spin lock spins.
            (0, LockKind::Spin) => total,
            (0, _) => 0,
            (examined, _) => {
                let cpu = u128::from(self.examined_cpu_ns.min(examined));
                let share = u128::from(total) * cpu / u128::from(examined);
                share as u64
            }
        };
        let runnable_ns = self.waits.runnable_ns.min(total - spinning_ns);
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
