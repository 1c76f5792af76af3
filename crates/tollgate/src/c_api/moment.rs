//! A moment as C expresses it: a clock and a `struct timespec`.

use core::ffi::c_int;

use locktoll_waiting::{Deadline, DeadlineClock};

/// The result of a timed wait.
pub(super) const ACQUIRED: c_int = 0;

/// Returns the moment that the caller passed, or `EINVAL`.
///
/// # Safety
/// `at` points to a `struct timespec`.
pub(super) unsafe fn deadline(
    clock: libc::clockid_t,
    at: *const libc::timespec,
) -> Result<Deadline, c_int> {
    let clock = match clock {
        libc::CLOCK_REALTIME => DeadlineClock::Realtime,
        libc::CLOCK_MONOTONIC => DeadlineClock::Monotonic,
        _ => return Err(libc::EINVAL),
    };
    // SAFETY: the caller's promise.
    let at = unsafe { &*at };
    // The fields have different widths on other targets.
    #[expect(clippy::useless_conversion, reason = "not on every target")]
    Deadline::new(clock, at.tv_sec.into(), at.tv_nsec.into()).ok_or(libc::EINVAL)
}
