//! The clock of recordings and of the programs in the kernel.

use rustix::time::{ClockId, clock_gettime};

/// Returns the current `CLOCK_MONOTONIC` time, in nanoseconds.
pub fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    let part = |value: i64| u64::try_from(value).unwrap_or(0);
    part(now.tv_sec) * 1_000_000_000 + part(now.tv_nsec)
}
