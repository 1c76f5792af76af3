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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_checked_as_the_c_library_checks_it() {
        let read_at = |clock, tv_sec, tv_nsec| {
            let time = timespec { tv_sec, tv_nsec };
            // SAFETY: this function's own time.
            let deadline = unsafe { read(clock, &raw const time) }?;
            let deadline = deadline.expect("a time was given");
            Ok((deadline.clock(), deadline.since_zero()))
        };
        let (realtime, monotonic) = (libc::CLOCK_REALTIME, libc::CLOCK_MONOTONIC);
        let found = read_at(realtime, 5, 7);
        assert_eq!(found, Ok((DeadlineClock::Realtime, (5, 7))));
        let found = read_at(monotonic, 0, 999_999_999);
        assert_eq!(found, Ok((DeadlineClock::Monotonic, (0, 999_999_999))));
        assert_eq!(read_at(realtime, -1, -1), Err(libc::ETIMEDOUT));
        assert_eq!(read_at(realtime, 0, -1), Err(libc::EINVAL));
        assert_eq!(read_at(monotonic, 0, 1_000_000_000), Err(libc::EINVAL));
        // SAFETY: null.
        let for_ever = unsafe { read(realtime, core::ptr::null()) };
        assert!(matches!(for_ever, Ok(None)));
    }

    #[test]
    fn locks_wait_by_two_clocks() {
        assert!(is_known(libc::CLOCK_REALTIME) && is_known(libc::CLOCK_MONOTONIC));
        assert!(!is_known(libc::CLOCK_PROCESS_CPUTIME_ID) && !is_known(-1));
    }
}
