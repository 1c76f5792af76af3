//! The cost of a lock and unlock here when no other thread wants the lock.

use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};

use super::StaticMutex;

static MUTEX: StaticMutex = StaticMutex::new();

/// Pairs between two readings of the clock: so many that reading it costs next to nothing, so few that most stretches pass
/// without an interruption.
const STRETCH: u32 = 1000;

/// Locks and unlocks for `duration`, then prints the cost of a pair on standard output: the median over stretches, in
/// nanoseconds.
pub fn measure(duration: Duration) -> std::io::Result<()> {
    // The C library leaves out its atomics while there is only one thread, a rare case among programs in which locks matter. This
    // second thread sleeps until the process ends.
    thread::Builder::new().spawn(|| {
        loop {
            thread::park();
        }
    })?;
    // The extra cost of the first acquisitions is left out.
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
