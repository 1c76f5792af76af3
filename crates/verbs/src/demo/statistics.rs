//! The lock that is fine: held for one addition.

use std::cell::UnsafeCell;

use super::{Guarded, StaticMutex};

#[expect(
    non_upper_case_globals,
    reason = "named as a C program would, for the profile"
)]
static statistics_lock: StaticMutex = StaticMutex::new();
static JOBS_DONE: Guarded<(u64, u64)> = Guarded(UnsafeCell::new((0, 0)));

/// Counts one finished job.
#[inline(never)]
pub fn update_statistics(result: u64) {
    // SAFETY: D1: locked and unlocked here, JOBS_DONE touched in between.
    unsafe {
        libc::pthread_mutex_lock(statistics_lock.get());
        let (jobs, checksum) = &mut *JOBS_DONE.0.get();
        *jobs += 1;
        *checksum ^= result;
        libc::pthread_mutex_unlock(statistics_lock.get());
    }
}

/// Returns how many jobs were done, and what they computed.
pub fn jobs_done() -> (u64, u64) {
    // SAFETY: D1.
    unsafe {
        libc::pthread_mutex_lock(statistics_lock.get());
        let done = *JOBS_DONE.0.get();
        libc::pthread_mutex_unlock(statistics_lock.get());
        done
    }
}
