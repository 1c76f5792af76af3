//! A moment at which a thread stops waiting.

use core::time::Duration;

use crate::system::{self, DeadlineClock};

/// A moment on a clock at which a timed wait ends without success.
///
/// No wait ends before it. The delay after it depends on the system's timers. On Linux it is some 50 us, unless the thread's
/// timer slack differs (prctl(2), `PR_SET_TIMERSLACK`). Windows sleeps in whole milliseconds, and wakes at a tick of its
/// timer, which comes every 0.5 to 15.6 ms.
///
/// ```
/// use std::time::Duration;
/// use locktoll_waiting::{Deadline, DeadlineClock};
///
/// let long_ago = Deadline::new(DeadlineClock::Monotonic, 0, 0).unwrap();
/// assert!(long_ago.has_passed());
/// let tomorrow = Deadline::after(DeadlineClock::Monotonic, Duration::from_secs(86_400));
/// assert!(!tomorrow.has_passed());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    clock: DeadlineClock,
    seconds: i64,
    nanoseconds: i64,
}

const NANOSECONDS_PER_SECOND: i64 = 1_000_000_000;

impl Deadline {
    /// Returns the moment `seconds` and `nanoseconds` after the clock's zero, or `None` unless `nanoseconds` is from 0 to
    /// 999,999,999.
    pub const fn new(clock: DeadlineClock, seconds: i64, nanoseconds: i64) -> Option<Self> {
        if nanoseconds < 0 || nanoseconds >= NANOSECONDS_PER_SECOND {
            return None;
        }
        Some(Self {
            clock,
            seconds,
            nanoseconds,
        })
    }

    /// Returns the moment after this length of time from now. If the length is beyond the clock's range, returns the clock's
    /// last moment.
    pub fn after(clock: DeadlineClock, length: Duration) -> Self {
        let (seconds, nanoseconds) = system::now(clock);
        let nanoseconds = nanoseconds + i64::from(length.subsec_nanos());
        let carry = nanoseconds / NANOSECONDS_PER_SECOND;
        let seconds = i128::from(seconds) + i128::from(length.as_secs()) + i128::from(carry);
        Self {
            clock,
            seconds: i64::try_from(seconds).unwrap_or(i64::MAX),
            nanoseconds: nanoseconds % NANOSECONDS_PER_SECOND,
        }
    }

    /// Returns the moment this many nanoseconds from now on the monotonic clock.
    pub fn after_ns(nanoseconds: u64) -> Self {
        Self::after(DeadlineClock::Monotonic, Duration::from_nanos(nanoseconds))
    }

    /// Returns the clock.
    pub const fn clock(&self) -> DeadlineClock {
        self.clock
    }

    /// Returns the seconds and nanoseconds from the clock's zero.
    pub const fn since_zero(&self) -> (i64, i64) {
        (self.seconds, self.nanoseconds)
    }

    /// Whether the moment has come.
    #[inline]
    pub fn has_passed(&self) -> bool {
        self.remaining_ns() == 0
    }

    /// Returns the nanoseconds until then, or 0 if it has come.
    pub fn remaining_ns(&self) -> u64 {
        self.clock.remaining_ns(self.since_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64, nanoseconds: i64) -> Option<Deadline> {
        Deadline::new(DeadlineClock::Monotonic, seconds, nanoseconds)
    }

    #[test]
    fn nanoseconds_are_those_of_less_than_a_second() {
        assert!(at(0, -1).is_none());
        assert!(at(0, 1_000_000_000).is_none());
        assert!(at(0, 999_999_999).is_some());
    }

    #[test]
    fn the_past_has_passed_and_the_future_has_not() {
        for seconds in [i64::MIN, -1, 0] {
            assert!(at(seconds, 0).unwrap().has_passed());
        }
        let far = at(i64::MAX, 999_999_999).unwrap();
        assert!(!far.has_passed());
        assert_eq!(far.remaining_ns(), u64::MAX);
    }

    #[test]
    fn a_length_is_counted_from_now() {
        for clock in [DeadlineClock::Realtime, DeadlineClock::Monotonic] {
            let length = Duration::from_millis(86_400_900);
            // Two days would be enough for the slowest machine, and on no machine is half of that over.
            let remaining = Deadline::after(clock, length).remaining_ns();
            assert!(remaining <= length.as_nanos() as u64, "{remaining}");
            assert!(remaining > length.as_nanos() as u64 / 2, "{remaining}");
            assert!(Deadline::after(clock, Duration::ZERO).has_passed());
            assert!(!Deadline::after(clock, Duration::MAX).has_passed());
        }
    }

    #[test]
    fn the_clocks_are_told_apart() {
        // One clock is past 1980, and by the other no machine has run that long.
        let in_1980 = 320_000_000;
        assert!(
            Deadline::new(DeadlineClock::Realtime, in_1980, 0)
                .unwrap()
                .has_passed()
        );
        assert!(!at(in_1980, 0).unwrap().has_passed());
    }
}
