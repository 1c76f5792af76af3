//! Whether the threads of this process compete for the CPUs: whether the process uses nearly all CPU time that it may use.
//!
//! It is computed anew every few milliseconds, by the thread that asks.

use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU64};

use rustix::thread::sched_getaffinity;
use rustix::time::{ClockId, clock_gettime};

/// The shortest stretch of time over which the use is computed.
const STRETCH_NS: u64 = 20_000_000;
/// From this share of the time of its CPUs on, in per cent, the threads of a process compete.
const NEARLY_ALL: u64 = 90;

/// The number of CPUs that the process may use.
static CPUS: AtomicU64 = AtomicU64::new(1);
/// When the use was last computed; 0: never.
static SINCE_NS: AtomicU64 = AtomicU64::new(0);
/// The CPU time of the process at that time.
static USED_NS: AtomicU64 = AtomicU64::new(0);
/// The answer of that time. It begins with no: pauses that are slept do not make a process use more CPU time, and the others do.
static IS_CROWDED: AtomicBool = AtomicBool::new(false);

/// Counts the CPUs.
pub fn start() {
    if let Ok(cpus) = sched_getaffinity(None) {
        // Relaxed, here and in this file: each word passes on nothing but itself.
        CPUS.store(u64::from(cpus.count()).max(1), Relaxed);
    }
}

/// Whether the threads of this process compete for the CPUs, as far as is known at the time `now_ns`.
pub fn is_crowded(now_ns: u64) -> bool {
    let since_ns = SINCE_NS.load(Relaxed);
    let passed_ns = now_ns.saturating_sub(since_ns);
    let is_due = passed_ns >= STRETCH_NS || since_ns == 0;
    // One thread computes it. In a process that was forked off, the numbers of its parent make one answer wrong.
    if is_due
        && SINCE_NS
            .compare_exchange(since_ns, now_ns, Relaxed, Relaxed)
            .is_ok()
    {
        let used = clock_gettime(ClockId::ProcessCPUTime);
        let used_ns = used.tv_sec.cast_unsigned() * 1_000_000_000 + used.tv_nsec.cast_unsigned();
        let before_ns = USED_NS.swap(used_ns, Relaxed);
        if since_ns != 0 {
            let is_crowded = uses_nearly_all(
                used_ns.saturating_sub(before_ns),
                passed_ns,
                CPUS.load(Relaxed),
            );
            IS_CROWDED.store(is_crowded, Relaxed);
        }
    }
    IS_CROWDED.load(Relaxed)
}

fn uses_nearly_all(used_ns: u64, passed_ns: u64, cpus: u64) -> bool {
    used_ns >= passed_ns / 100 * NEARLY_ALL * cpus
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_tenths_of_all_cpus_are_nearly_all() {
        assert!(uses_nearly_all(1_800, 1_000, 2));
        assert!(!uses_nearly_all(1_799, 1_000, 2));
        assert!(!uses_nearly_all(1_000, 1_000, 2));
        assert!(uses_nearly_all(1_000, 1_000, 1));
    }
}
