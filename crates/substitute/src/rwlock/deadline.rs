//! The deadlines that programs pass, checked as the GNU C library checks the deadlines of reader-writer locks: before anything
//! else, whether or not there is anything to wait for. (For mutexes, it checks a deadline only if it has to wait.)

use core::ffi::c_int;

use libc::{clockid_t, timespec};
use locktoll_locks::{Deadline, DeadlineClock};

/// Reads the deadline. Returns `None` if the call waits forever, whatever its clock.
///
/// # Errors
/// `EINVAL` for a clock that locks cannot wait by, and for invalid nanoseconds.
///
/// # Safety
/// Null, or the program's own time.
pub unsafe fn read(clock: clockid_t, time: *const timespec) -> Result<Option<Deadline>, c_int> {
    // SAFETY: the caller's promise.
    let Some(time) = (unsafe { time.as_ref() }) else {
        return Ok(None);
    };
    let clock = match clock {
        libc::CLOCK_REALTIME => DeadlineClock::Realtime,
        libc::CLOCK_MONOTONIC => DeadlineClock::Monotonic,
        _ => return Err(libc::EINVAL),
    };
    Deadline::new(clock, time.tv_sec, time.tv_nsec)
        .map(Some)
        .ok_or(libc::EINVAL)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_at(clock: clockid_t, tv_sec: i64, tv_nsec: i64) -> Result<bool, c_int> {
        let time = timespec { tv_sec, tv_nsec };
        // SAFETY: this function's own time.
        unsafe { read(clock, &raw const time) }.map(|deadline| deadline.is_some())
    }

    #[test]
    fn what_is_no_time_or_no_clock_is_refused() {
        assert_eq!(read_at(libc::CLOCK_REALTIME, 0, -1), Err(libc::EINVAL));
        assert_eq!(
            read_at(libc::CLOCK_REALTIME, 0, 1_000_000_000),
            Err(libc::EINVAL)
        );
        assert_eq!(
            read_at(libc::CLOCK_PROCESS_CPUTIME_ID, 0, 0),
            Err(libc::EINVAL)
        );
        assert_eq!(read_at(libc::CLOCK_MONOTONIC, -1, 0), Ok(true));
        // SAFETY: null.
        let for_ever = unsafe { read(12345, core::ptr::null()) };
        assert!(matches!(for_ever, Ok(None)));
    }
}
