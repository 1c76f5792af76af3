//! The deadlines that programs pass, checked as the GNU C library checks them.

use core::ffi::c_int;

use libc::{clockid_t, timespec};
use locktoll_locks::{Deadline, DeadlineClock};

/// Whether locks may wait by this clock. Other clocks are `EINVAL` at once, before anything is acquired.
pub fn is_known(clock: clockid_t) -> bool {
    matches!(clock, libc::CLOCK_REALTIME | libc::CLOCK_MONOTONIC)
}

/// Reads the deadline of a call that has to wait. Returns `None` if it waits forever.
///
/// # Errors
/// The value that the call returns instead of waiting: `ETIMEDOUT` for a moment before the clock's beginning, whatever its
/// nanoseconds; `EINVAL` for invalid nanoseconds.
///
/// # Safety
/// Null, or the program's own time.
pub unsafe fn read(clock: clockid_t, time: *const timespec) -> Result<Option<Deadline>, c_int> {
    // SAFETY: the caller's promise.
    let Some(time) = (unsafe { time.as_ref() }) else {
        return Ok(None);
    };
    if time.tv_sec < 0 {
        return Err(libc::ETIMEDOUT);
    }
    let clock = match clock {
        libc::CLOCK_MONOTONIC => DeadlineClock::Monotonic,
        _ => DeadlineClock::Realtime,
    };
    Deadline::new(clock, time.tv_sec, time.tv_nsec)
        .map(Some)
        .ok_or(libc::EINVAL)
}
