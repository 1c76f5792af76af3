//! Context switches of the watched threads, which inherited events make slower.
//!
//! An event of the whole machine costs nothing at a switch. Events that a program inherits are taken off one thread and put on the next
//! at each switch, also while they are stopped. If that would take more than a hundredth of the program's time, they are closed.

use std::time::Duration;

use super::threads::Reading;

/// What a switch costs more, measured with two threads that wake each other by pipes (0.35 to 0.40 us).
const SWITCH_NS: u64 = 400;
/// One part in this many of the CPU time may be used.
const SHARE: u64 = 100;
/// The CPU time after which it is decided.
const ENOUGH_NS: u64 = 10_000_000;

/// Switches and CPU time since the last decision.
#[derive(Debug)]
pub struct Switching {
    switches: u64,
    ran_ns: u64,
    /// CPU time in user code of the children of this process that have ended, at the beginning.
    began: Duration,
    is_closed: bool,
}

impl Switching {
    /// Begins to count.
    pub fn begin() -> Self {
        Self {
            switches: 0,
            ran_ns: 0,
            began: of_children(),
            is_closed: false,
        }
    }

    /// Adds what a thread did between two readings of its account.
    pub fn add(&mut self, passed: Reading) {
        self.switches += passed.runs;
        self.ran_ns += passed.cpu_ns;
    }

    /// Whether the switches take longer than is allowed. Begins anew if not.
    pub fn is_expensive(&mut self) -> bool {
        if self.is_closed || self.ran_ns < ENOUGH_NS {
            return false;
        }
        let is_expensive = self.switches * SWITCH_NS * SHARE > self.ran_ns;
        (self.switches, self.ran_ns) = (0, 0);
        is_expensive
    }

    /// Notes that the events were closed.
    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// Returns the program's whole CPU time in user code, if only its beginning was sampled and it has ended.
    pub fn whole(&self) -> Option<Duration> {
        self.is_closed
            .then(|| of_children().saturating_sub(self.began))
    }
}

/// Returns the CPU time in user code of the children of this process that have ended and were waited for, and of theirs.
fn of_children() -> Duration {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the kernel fills the structure, which zeros are valid for, too.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    let seconds = u64::try_from(usage.ru_utime.tv_sec).unwrap_or(0);
    let microseconds = u64::try_from(usage.ru_utime.tv_usec).unwrap_or(0);
    Duration::from_secs(seconds) + Duration::from_micros(microseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(runs: u64, cpu_ns: u64) -> bool {
        let mut switching = Switching::begin();
        switching.add(Reading {
            cpu_ns,
            delay_ns: 0,
            runs,
        });
        switching.is_expensive()
    }

    #[test]
    fn events_are_closed_where_switches_would_take_a_hundredth_of_the_time() {
        // 30,000 switches per second are 12 ms.
        assert!(after(3_000, 100_000_000));
        assert!(!after(2_000, 100_000_000));
        // Too early to tell.
        assert!(!after(3_000, 5_000_000));
    }

    #[test]
    fn what_was_not_sampled_is_known_only_if_events_were_closed() {
        let mut switching = Switching::begin();
        assert_eq!(switching.whole(), None);
        switching.close();
        assert!(switching.whole().is_some());
        switching.add(Reading {
            cpu_ns: 1_000_000_000,
            delay_ns: 0,
            runs: 1_000_000,
        });
        assert!(!switching.is_expensive());
    }
}
