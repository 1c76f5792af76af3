//! The lock that is held across a sleep: every line of the log waits for the disk.

use std::cell::UnsafeCell;
use std::time::Duration;

use super::{Guarded, StaticMutex};

/// How long the simulated disk takes for one line.
const FLUSH: Duration = Duration::from_millis(1);
/// How long a connection waits for its next request: much shorter than the disk takes, so that some thread always waits for the
/// log, but long enough that the lock changes hands at every line.
const NEXT_REQUEST: Duration = Duration::from_micros(200);

#[expect(
    non_upper_case_globals,
    reason = "named as a C program would, for the profile"
)]
static log_lock: StaticMutex = StaticMutex::new();
static LINES: Guarded<u64> = Guarded(UnsafeCell::new(0));

/// Writes one line of the log, and keeps the lock until the disk has it.
#[inline(never)]
pub fn write_log_line() {
    // SAFETY: D1: locked and unlocked here, LINES touched in between.
    unsafe {
        libc::pthread_mutex_lock(log_lock.get());
        *LINES.0.get() += 1;
        flush_to_disk();
        libc::pthread_mutex_unlock(log_lock.get());
    }
}

/// Writes one line of the log, and waits for the disk after the lock is free: the remedy that `advise` proposes.
#[inline(never)]
pub fn write_log_line_and_flush_later() {
    // SAFETY: D1: locked and unlocked here, LINES touched in between.
    unsafe {
        libc::pthread_mutex_lock(log_lock.get());
        *LINES.0.get() += 1;
        libc::pthread_mutex_unlock(log_lock.get());
    }
    flush_to_disk();
}

#[inline(never)]
fn flush_to_disk() {
    std::thread::sleep(FLUSH);
}

/// Waits for the next request without holding a lock.
#[inline(never)]
pub fn read_request() {
    std::thread::sleep(NEXT_REQUEST);
}

/// Returns how many lines have been written.
pub fn lines() -> u64 {
    // SAFETY: D1.
    unsafe {
        libc::pthread_mutex_lock(log_lock.get());
        let lines = *LINES.0.get();
        libc::pthread_mutex_unlock(log_lock.get());
        lines
    }
}
