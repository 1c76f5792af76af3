//! A moment at which a thread stops waiting.

use rustix::thread::Timespec;

/// A clock that deadlines are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadlineClock {
    /// The time of day (`CLOCK_REALTIME`): whoever sets it moves the deadline.
    Realtime,
    /// The time since the machine started (`CLOCK_MONOTONIC`).
    Monotonic,
}

/// A moment on a clock, at which a timed wait ends in vain.
///
/// ```
/// use locktoll_locks::{Deadline, DeadlineClock, Futex3, RawLock, TimedLock};
///
/// let lock = Futex3::new();
/// let long_ago = Deadline::new(DeadlineClock::Monotonic, 0, 0).unwrap();
/// assert!(lock.try_lock_until(&long_ago), "a free lock is acquired, however late");
/// assert!(!lock.try_lock_until(&long_ago));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    clock: DeadlineClock,
    at: Timespec,
}

const NANOSECONDS_PER_SECOND: i64 = 1_000_000_000;

impl Deadline {
    /// The moment `seconds` and `nanoseconds` after the clock's zero. `None` if the nanoseconds are not those of less than
    /// a second.
    pub const fn new(clock: DeadlineClock, seconds: i64, nanoseconds: i64) -> Option<Self> {
        if nanoseconds < 0 || nanoseconds >= NANOSECONDS_PER_SECOND {
            return None;
        }
        Some(Self {
            clock,
            at: Timespec {
                tv_sec: seconds,
                tv_nsec: nanoseconds,
            },
        })
    }

    /// The moment so long from now.
    pub(crate) fn after_ns(nanoseconds: u64) -> Self {
        let clock = DeadlineClock::Monotonic;
        let now = Self {
            clock,
            at: Timespec {
                tv_sec: 0,
                tv_nsec: 0,
            },
        }
        .now();
        let nanoseconds = now.tv_nsec + nanoseconds.cast_signed();
        Self {
            clock,
            at: Timespec {
                tv_sec: now.tv_sec + nanoseconds / NANOSECONDS_PER_SECOND,
                tv_nsec: nanoseconds % NANOSECONDS_PER_SECOND,
            },
        }
    }

    /// The clock.
    pub const fn clock(&self) -> DeadlineClock {
        self.clock
    }

    /// Seconds and nanoseconds from the clock's zero.
    pub const fn since_zero(&self) -> (i64, i64) {
        (self.at.tv_sec, self.at.tv_nsec)
    }

    /// Whether the moment has come.
    #[inline]
    pub fn has_passed(&self) -> bool {
        self.remaining_ns() == 0
    }

    /// Nanoseconds until then; 0 if it has come.
    pub(crate) fn remaining_ns(&self) -> u64 {
        let now = self.now();
        // In 128 bits, since a caller may name any second.
        let seconds = i128::from(self.at.tv_sec) - i128::from(now.tv_sec);
        let nanoseconds = i128::from(self.at.tv_nsec) - i128::from(now.tv_nsec);
        let remaining = seconds * i128::from(NANOSECONDS_PER_SECOND) + nanoseconds;
        u64::try_from(remaining.max(0)).unwrap_or(u64::MAX)
    }

    /// The moment for the kernel, which refuses seconds below zero: both clocks have passed zero.
    pub(crate) fn timespec(&self) -> Timespec {
        if self.at.tv_sec < 0 {
            return Timespec {
                tv_sec: 0,
                tv_nsec: 0,
            };
        }
        self.at
    }

    /// By the C library's function, which reads the clock without a system call, a lock, or a look at the environment.
    fn now(&self) -> libc::timespec {
        let clock = match self.clock {
            DeadlineClock::Realtime => libc::CLOCK_REALTIME,
            DeadlineClock::Monotonic => libc::CLOCK_MONOTONIC,
        };
        let mut now = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: a place for the answer. It cannot fail: every Linux has both clocks.
        unsafe { libc::clock_gettime(clock, &raw mut now) };
        now
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
        assert_eq!(at(-1, 5).unwrap().timespec().tv_sec, 0);
    }

    #[test]
    fn the_clocks_are_told_apart() {
        // It has been later than 1980 by one clock, and no machine runs as long by the other.
        let in_1980 = 320_000_000;
        assert!(
            Deadline::new(DeadlineClock::Realtime, in_1980, 0)
                .unwrap()
                .has_passed()
        );
        assert!(!at(in_1980, 0).unwrap().has_passed());
    }
}
