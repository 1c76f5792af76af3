//! The sums of one variable of a program, over all sites and threads.

use locktoll_recording::layout::{EntryPoint, LockKind};
use locktoll_recording::reader::{Count, Part};

use crate::names::Names;

/// What was counted of the variable `name` by one entry point, all sites and threads together.
#[derive(Default, Debug)]
pub struct Sum {
    pub calls: f64,
    pub contended: f64,
    pub timed_out: f64,
    pub try_failed: f64,
    pub wait_ns: f64,
    pub relock_ns: f64,
}

impl Sum {
    /// Of the calls of `entry` on `name`.
    pub fn of(part: &Part, names: &Names, name: &str, kind: LockKind, entry: EntryPoint) -> Self {
        let is_meant = |count: &&Count| {
            (count.kind, count.entry) == (kind, entry)
                && names.symbol(part, count.lock_address) == Some(name)
        };
        let mut sum = Self::default();
        for count in part.counts.iter().filter(is_meant) {
            sum.calls += count.acquisitions as f64;
            if let Some(wait) = &count.contention {
                sum.contended += wait.contended as f64;
                sum.timed_out += wait.timed_out as f64;
                sum.try_failed += wait.try_failed as f64;
                sum.wait_ns += wait.wait_total_ns as f64;
                sum.relock_ns += wait.relock_ns as f64;
            }
        }
        sum
    }
}
