//! Holds, added up.

use std::collections::BTreeMap;

use locktoll_recording::histogram::BUCKETS;
use locktoll_recording::layout::call_name;
use locktoll_recording::reader::Hold;

use crate::joiner::{plus, quantile_ns, without_trailing_zeros};
use locktoll_results::profile::{HeldCall, HoldTimes, WhileHeld};

/// The holds of one row. The sums saturate where a damaged recording would overflow them.
#[derive(Clone)]
pub struct Holds {
    timed: u64,
    /// The estimated total length of all holds.
    pub total_ns: u64,
    max_ns: u64,
    while_held: WhileHeld,
    off_cpu_ns: u64,
    gaps: u64,
    gap_ns: u64,
    histogram: [u64; BUCKETS],
    /// By function: the number of calls, and the time in them.
    calls: BTreeMap<u8, (u64, u64)>,
}

impl Default for Holds {
    fn default() -> Self {
        Self {
            timed: 0,
            total_ns: 0,
            max_ns: 0,
            while_held: WhileHeld::default(),
            off_cpu_ns: 0,
            gaps: 0,
            gap_ns: 0,
            histogram: [0; BUCKETS],
            calls: BTreeMap::new(),
        }
    }
}

impl Holds {
    /// Adds one record.
    pub fn add(&mut self, hold: &Hold) {
        plus(&mut self.timed, hold.timed);
        plus(&mut self.total_ns, hold.estimated_total_ns);
        self.max_ns = self.max_ns.max(hold.max_ns);
        let held = &mut self.while_held;
        plus(&mut held.examined, hold.examined);
        plus(&mut held.blocked, hold.blocked);
        plus(&mut held.voluntary_switches, hold.voluntary_switches);
        plus(&mut held.involuntary_switches, hold.involuntary_switches);
        plus(&mut held.system_calls, hold.system_calls);
        plus(&mut self.off_cpu_ns, hold.off_cpu_ns);
        plus(&mut self.gaps, hold.gaps);
        plus(&mut self.gap_ns, hold.gap_ns);
        for call in &hold.calls {
            let sum = self.calls.entry(call.number).or_default();
            plus(&mut sum.0, call.count);
            plus(&mut sum.1, call.total_ns);
        }
        for (sum, more) in self.histogram.iter_mut().zip(hold.hold_histogram) {
            plus(sum, more);
        }
    }

    /// Returns the times as the profile shows them; `None` if no hold was timed.
    pub fn times(&self) -> Option<HoldTimes> {
        let at = |share| quantile_ns(&self.histogram, share, self.max_ns);
        Some(HoldTimes {
            total: self.total_ns,
            max: self.max_ns,
            p50: at(0.5)?,
            p99: at(0.99)?,
            sampled: self.timed,
            log2: without_trailing_zeros(&self.histogram),
        })
    }

    /// Returns what happened while the locks were held.
    pub fn while_held(&self) -> WhileHeld {
        let named = self.calls.iter().filter_map(|(number, (count, total_ns))| {
            let call = call_name(*number)?.to_owned();
            Some(HeldCall {
                call,
                count: *count,
                total_ns: *total_ns,
            })
        });
        let mut calls: Vec<HeldCall> = named.collect();
        calls.sort_by_key(|it| std::cmp::Reverse(it.total_ns));
        WhileHeld {
            calls,
            ..self.while_held.clone()
        }
    }

    /// Returns the time without a processor in those examined holds in which the holder was preempted and never blocked.
    pub fn off_cpu_ns(&self) -> u64 {
        self.off_cpu_ns
    }

    /// Returns the number and time of the holds that seem to have been interrupted, where holds are too short to be examined.
    pub fn gaps(&self) -> (u64, u64) {
        (self.gaps, self.gap_ns)
    }

    /// Whether the mean of `acquisitions` holds is shorter than the time that recording one adds.
    pub fn shorter_than(&self, ns_per_pair: Option<f64>, acquisitions: u64) -> bool {
        let Some(ns_per_pair) = ns_per_pair else {
            return false;
        };
        self.timed > 0
            && acquisitions > 0
            && (self.total_ns as f64) < ns_per_pair * acquisitions as f64
    }
}
