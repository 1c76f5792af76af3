//! From a report to a part of a profile.
//!
//! A thread that spins inside a lock that the recorder knows waits for that lock: the recorder has timed the wait, and the profile
//! has taken it out of the running time already. Such a row names the lock, and the sums leave it out.

use std::collections::HashMap;

use locktoll_lab::stats::Estimate;
use locktoll_results::profile::Profile;

use super::report::Report;

/// Adds `report` to the profile, whose locks know the words in them.
pub fn add(profile: &mut Profile, report: Report) {
    let mut lock_of: HashMap<(u32, u64), &str> = HashMap::new();
    for lock in &profile.locks {
        lock_of.extend(lock.spun_words.iter().map(|&word| (word, &*lock.id)));
    }
    let mut spun: HashMap<(u32, u32), f64> = HashMap::new();
    let mut at_locks_ns = 0.0;
    let mut spinning = Vec::new();
    for mut row in report.rows {
        let lock = row.words.iter().find_map(|word| lock_of.get(word));
        row.spinning.lock = lock.map(|&id| id.to_owned());
        if lock.is_some() {
            at_locks_ns += row.spinning.cpu_ns.median;
        } else {
            for share in &row.threads {
                *spun.entry((share.pid, share.tid)).or_default() += share.ns;
            }
        }
        spinning.push(row.spinning);
    }
    profile.spinning = spinning;
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
