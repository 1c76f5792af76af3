//! The deadlines that programs give, checked as the GNU C library checks them.

use core::ffi::c_int;

use libc::{clockid_t, timespec};

pub struct Deadline {
    clock: DeadlineClock,
    time: timespec,
}
enum DeadlineClock {
    Realtime,
    Monotonic,
}
impl Deadline {
    fn new(clock: DeadlineClock, tv_sec: i64, tv_nsec: i64) -> Option<Self> {
        (0..1_000_000_000).contains(&tv_nsec).then_some(Self {
            clock,
            time: timespec { tv_sec, tv_nsec },
        })
    }
    pub fn has_passed(&self) -> bool {
        let mut now = timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        let clock = match self.clock {
            DeadlineClock::Realtime => libc::CLOCK_REALTIME,
            DeadlineClock::Monotonic => libc::CLOCK_MONOTONIC,
        };
        unsafe { libc::clock_gettime(clock, &raw mut now) };
        (now.tv_sec, now.tv_nsec) >= (self.time.tv_sec, self.time.tv_nsec)
    }
}

/// Whether a clock is one that locks may wait by; the others are `EINVAL` at once, before anything is acquired.
pub fn is_known(clock: clockid_t) -> bool {
    matches!(clock, libc::CLOCK_REALTIME | libc::CLOCK_MONOTONIC)
}

/// The deadline of a call that has to wait; `None` where it waits for ever.
///
/// # Errors
/// What the call returns instead of waiting: `ETIMEDOUT` for a moment before the clock's beginning, whatever its
/// nanoseconds; `EINVAL` for nanoseconds that are none.
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
