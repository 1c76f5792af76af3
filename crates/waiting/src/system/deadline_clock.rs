//! The clocks that deadlines are read from.

const NANOSECONDS_PER_SECOND: i128 = 1_000_000_000;

/// A clock that deadlines are read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeadlineClock {
    /// The time of day (`CLOCK_REALTIME`): setting the clock moves the deadline. On Windows it is
    /// `GetSystemTimePreciseAsFileTime`, also counted from 1970; there a sleeping thread notices within a second that the
    /// clock has been set.
    Realtime,
    /// The time since the machine started (`CLOCK_MONOTONIC`; on Windows `QueryPerformanceCounter`).
    Monotonic,
}

impl DeadlineClock {
    /// Returns the nanoseconds until the clock shows these seconds and nanoseconds since its zero, or 0 if it has already
    /// shown them.
    pub fn remaining_ns(self, (seconds, nanoseconds): (i64, i64)) -> u64 {
        let now = super::now(self);
        // Computed in 128 bits, since a caller may pass any second.
        let seconds = i128::from(seconds) - i128::from(now.0);
        let nanoseconds = i128::from(nanoseconds) - i128::from(now.1);
        let remaining = seconds * NANOSECONDS_PER_SECOND + nanoseconds;
        u64::try_from(remaining.max(0)).unwrap_or(u64::MAX)
    }
}
