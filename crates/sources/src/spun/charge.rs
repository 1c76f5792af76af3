//! From a report to a part of a profile.
//!
//! A thread that spins inside a lock that the recorder knows waits for that lock: the recorder has timed the wait, and the profile
//! has taken it out of the running time already. Such a row names the lock, and the sums leave it out.

use std::collections::HashMap;

use locktoll_lab::stats::Estimate;
use locktoll_results::profile::Profile;

use super::report::Report;

/// Returns the id of the lock in which an address of a process lies, if the profile has that lock.
pub type Lockplace<'a> = &'a dyn Fn(u32, u64) -> Option<String>;

/// Adds `report` to the profile.
pub fn add(profile: &mut Profile, report: Report, lock_at: Lockplace<'_>) {
    let mut spun: HashMap<(u32, u32), f64> = HashMap::new();
    let mut at_locks_ns = 0.0;
    for mut row in report.rows {
        let mut locks = row.words.iter().filter_map(|&(pid, at)| lock_at(pid, at));
        row.spinning.lock = locks.next();
        if row.spinning.lock.is_some() {
            at_locks_ns += row.spinning.cpu_ns.median;
        } else {
            for share in &row.threads {
                *spun.entry((share.pid, share.tid)).or_default() += share.ns;
            }
        }
        profile.spinning.push(row.spinning);
    }
    profile.spin_cpu_ns = Some(without(report.spin_ns, at_locks_ns));
    for thread in &mut profile.per_thread {
        let ns = spun.get(&(thread.pid, thread.tid)).copied().unwrap_or(0.0);
        // The samples and the kernel's account of the thread do not agree to the nanosecond.
        let most_ns = thread.cpu_ns.unwrap_or(u64::MAX);
        thread.spin_ns = Some((ns as u64).min(most_ns));
    }
    profile.spin_samples = Some(report.samples);
    profile.warnings.extend(report.notes);
}

/// Returns the estimate without a part of it, whose own uncertainty stays in the bounds.
fn without(all: Estimate, part: f64) -> Estimate {
    Estimate {
        median: (all.median - part).max(0.0),
        low: (all.low - part).max(0.0),
        high: (all.high - part).max(0.0),
        n: all.n,
    }
}
