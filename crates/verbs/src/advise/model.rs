//! Threads that queue for a lock, and what a change would gain.
//!
//! A closed queueing network with one server (the lock) and a delay (everything else that a thread does): each of N threads is
//! elsewhere for a time, waits for the lock, and holds it. Schweitzer's approximation of mean value analysis (1979) gives the time at
//! the lock. It is first solved backwards, with the waits of the recording, for the *service time*: the hold, and the hand-over
//! that a profile of holds does not contain. Forwards, with the change applied, it gives the rate of acquisitions. The ends of the
//! interval are the asymptotic bounds (Denning and Buzen, 1978): threads that never meet, and so wake nobody, and threads that always meet.

use locktoll_results::advice::Gain;

use super::lock_use::LockUse;

/// A change of the way in which threads use a lock. The default is no change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// The time that is taken out of each hold, nanoseconds.
    pub shorter_ns: f64,
    /// The part of it that the thread then spends elsewhere, nanoseconds.
    pub moved_ns: f64,
    /// The share of the acquisitions that is left.
    pub visits: f64,
    /// The number of locks in place of the one.
    pub shards: f64,
    /// The share of the time of hand-overs that is left.
    pub hand_over: f64,
    /// The time per acquisition that threads no longer spend in the calls that acquire and release, outside of waits and holds,
    /// nanoseconds. A recording does not have it.
    pub saved_ns: f64,
}

impl Default for Change {
    fn default() -> Self {
        Self {
            shorter_ns: 0.0,
            moved_ns: 0.0,
            visits: 1.0,
            shards: 1.0,
            hand_over: 1.0,
            saved_ns: 0.0,
        }
    }
}

/// No gain is predicted closer than this, as a share of what lies above 1.
const TOLERANCE: f64 = 0.15;
/// How exactly the time of the CPUs is known.
const OF_CPUS: f64 = 0.03;

/// The most that a release takes which wakes a thread: the system call, and the interrupt that wakes another CPU. A recording does not have
/// it. On a virtual machine with two CPUs, `locktoll machine` measured 12.6 us for the way to the other CPU, of which the releasing thread
/// pays a part.
pub const MOST_WAKE_NS: f64 = 15_000.0;

/// No program becomes faster than this by one of its locks.
const MOST: f64 = 1000.0;

/// Returns how many times as often threads come through the lock after the change. It is never below 1: a change that removes work
/// from a lock is not expected to slow down the program.
pub fn gain(lock: &LockUse<'_>, change: Change) -> Gain {
    let threads = lock.threads;
    let at_lock_ns = lock.hold_ns + lock.wait_ns;
    let cycle_ns = (lock.elsewhere_ns + at_lock_ns).max(1.0);
    let service_ns = service(at_lock_ns, lock.elsewhere_ns, threads);
    let hold_ns = (lock.hold_ns - change.shorter_ns).max(0.0);
    let saved_ns = change.saved_ns.clamp(0.0, lock.elsewhere_ns);
    let elsewhere_ns = lock.elsewhere_ns + change.moved_ns.max(0.0) - saved_ns;
    // Hand-overs take as long as before, if there are any left.
    let hand_over_ns = change.hand_over * (service_ns - lock.hold_ns).max(0.0);
    let scale = (service_ns / lock.hold_ns.max(1.0)).min(1.0);
    let visits = change.visits.clamp(0.0, 1.0);
    let after_ns = visits * (hold_ns * scale + hand_over_ns);
    let expected = time(after_ns, elsewhere_ns, threads, change.shards);
    // Threads that never meet wake nobody.
    let woken_ns = lock.lock.contended as f64 / lock.acquisitions * MOST_WAKE_NS;
    let spared_ns = woken_ns.clamp(saved_ns, lock.elsewhere_ns.max(saved_ns));
    let never = elsewhere_ns + saved_ns - spared_ns + visits * hold_ns;
    let saturated = threads * visits * hold_ns / change.shards.max(1.0);
    let always_ns = visits * (hold_ns + hand_over_ns);
    let always = elsewhere_ns + always_ns * (1.0 + (threads - 1.0) / change.shards.max(1.0));
    // The work of the threads that take the lock grows with the rate. They waited for CPUs behind other threads and programs, which may
    // be gone in the best case.
    // Calls that are saved need no CPU either.
    let busy_ns = (lock.elsewhere_ns + lock.hold_ns).max(1.0);
    let limit = |used: f64, spared_ns: f64| {
        let left = (1.0 - spared_ns / busy_ns).max(1.0 / MOST);
        if used > 0.0 { 1.0 / used / left } else { MOST }
    };
    let by_cpu = limit(lock.cpu_wanted, saved_ns);
    let at_best = limit(lock.cpu_used, spared_ns);
    let of = |time_ns: f64, limit: f64| {
        let gain = (cycle_ns / time_ns.max(1.0)).min(limit);
        if gain.is_finite() {
            gain.clamp(1.0, MOST)
        } else {
            1.0
        }
    };
    let median = of(expected, by_cpu.max(1.0));
    // The bounds meet where nothing is left to wait for, but no figure of a recording is exact.
    let more = median - 1.0;
    ordered(
        of(always, by_cpu).min(1.0 + more * (1.0 - TOLERANCE)),
        median,
        of(never.max(saturated), at_best * (1.0 + OF_CPUS)).max(1.0 + more * (1.0 + TOLERANCE)),
    )
}

/// Orders the ends around the median.
pub fn ordered(low: f64, median: f64, high: f64) -> Gain {
    Gain {
        low: low.min(median),
        median,
        high: high.max(median),
    }
}

/// Solves the model for the service time with which threads spend `at_lock_ns` per acquisition.
fn service(at_lock_ns: f64, elsewhere_ns: f64, threads: f64) -> f64 {
    let busy = at_lock_ns / (at_lock_ns + elsewhere_ns).max(1.0);
    at_lock_ns / (1.0 + (threads - 1.0).max(0.0) * busy)
}

/// Returns the time of a thread from one acquisition to the next.
fn time(service_ns: f64, elsewhere_ns: f64, threads: f64, shards: f64) -> f64 {
    // R = s (1 + m R / (R + Z)) with m other threads per shard, solved for R.
    let others = (threads - 1.0).max(0.0) / shards.max(1.0);
    let linear = elsewhere_ns - service_ns * (1.0 + others);
    let root = (linear * linear + 4.0 * service_ns * elsewhere_ns).sqrt();
    (root - linear) / 2.0 + elsewhere_ns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_time_is_found_again() {
        for (service_ns, elsewhere_ns, threads) in [
            (100.0, 0.0, 4.0),
            (100.0, 1000.0, 4.0),
            (5.0, 1e6, 64.0),
            (1e6, 200.0, 1.0),
        ] {
            let cycle_ns = time(service_ns, elsewhere_ns, threads, 1.0);
            let found = service(cycle_ns - elsewhere_ns, elsewhere_ns, threads);
            assert!(
                (found / service_ns - 1.0).abs() < 1e-6,
                "{found} {service_ns}"
            );
        }
    }

    #[test]
    fn more_locks_than_threads_leave_nothing_to_wait_for() {
        let alone = time(100.0, 100.0, 1.0, 1.0);
        assert!((alone - 200.0).abs() < 1e-9);
        let many = time(100.0, 100.0, 8.0, 1e9);
        assert!((many - 200.0).abs() < 1e-3, "{many}");
        assert!(time(100.0, 100.0, 8.0, 2.0) < time(100.0, 100.0, 8.0, 1.0));
    }
}
