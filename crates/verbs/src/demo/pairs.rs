//! The cost of a lock and unlock here when no other thread wants the lock.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use super::StaticMutex;

static MUTEX: StaticMutex = StaticMutex::new();

/// Pairs between two looks at the clock: so many that reading it does not count, so few that most stretches pass
/// without an interruption.
const STRETCH: u32 = 1000;

/// Locks and unlocks for `duration`, then says on standard output what a pair cost: the median over stretches,
/// nanoseconds.
pub fn measure(duration: Duration) -> std::io::Result<()> {
    // The C library leaves its atomics out while there is one thread only, as hardly any program has that locks matter
    // to. This one sleeps until the process ends.
    thread::Builder::new().spawn(|| {
        loop {
            thread::park();
        }
    })?;
    // What only the first acquisitions cost is not asked for.
    lock_and_unlock(STRETCH);
    let mut costs_ns = Vec::new();
    let mut now = Instant::now();
    let end = now + duration;
    while now < end {
        lock_and_unlock(STRETCH);
        let then = Instant::now();
        costs_ns.push((then - now).as_secs_f64() * 1e9 / f64::from(STRETCH));
        now = then;
    }
    costs_ns.sort_by(f64::total_cmp);
    writeln!(std::io::stdout(), "{:.3}", costs_ns[costs_ns.len() / 2])
}

#[inline(never)]
fn lock_and_unlock(times: u32) {
    for _ in 0..times {
        // SAFETY: D1: locked and unlocked here, and it guards nothing.
        unsafe {
            libc::pthread_mutex_lock(MUTEX.get());
            libc::pthread_mutex_unlock(MUTEX.get());
        }
    }
}
