//! What the kernel counted, and whether it bears a figure out.

use super::Switches;

/// The counts may be off by this share of what one unit of the probe must make.
pub(super) const TOLERANCE: f64 = 0.02;

/// Whether `counted` switches a unit are what a probe must make.
///
/// Where fewer than one is expected (none, say), two in a hundred units are let pass: a timer tick or another thread
/// may always come in between, and what they cost is then within the tolerance of a probe that does switch.
pub(super) fn fits(expected: f64, counted: f64) -> bool {
    (counted - expected).abs() <= TOLERANCE * expected.max(1.0)
}

/// The sentence of a refusal.
pub(super) fn refusal(expected: f64, counted: f64, off: usize, batches: usize) -> String {
    format!(
        "the kernel counted {counted:.3} switches where {expected:.3} are expected, \
         more than 2 % off in {off} of {batches} batches"
    )
}

impl Switches {
    /// Both kinds together.
    pub fn total(&self) -> f64 {
        self.voluntary + self.involuntary
    }
}

/// Switches of one thread or process, since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    pub voluntary: u64,
    pub involuntary: u64,
}

impl Counted {
    /// getrusage(2) of the calling thread: what the kernel counted when it took the CPU from it.
    ///
    /// A yield to another thread counts as involuntary: the thread stays runnable (`__schedule` in kernel/sched/core.c).
    pub fn of_this_thread() -> Counted {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: the kernel fills the struct we own, and all zeroes is a valid rusage, should the call fail.
        let usage = unsafe {
            libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr());
            usage.assume_init()
        };
        Counted {
            voluntary: usage.ru_nvcsw as u64,
            involuntary: usage.ru_nivcsw as u64,
        }
    }

    /// What came in between, or zero if this is not the later reading.
    pub fn since(self, earlier: Counted) -> Counted {
        Counted {
            voluntary: self.voluntary.saturating_sub(earlier.voluntary),
            involuntary: self.involuntary.saturating_sub(earlier.involuntary),
        }
    }

    /// Both threads together.
    pub fn plus(self, other: Counted) -> Counted {
        Counted {
            voluntary: self.voluntary + other.voluntary,
            involuntary: self.involuntary + other.involuntary,
        }
    }

    /// Switches in each of `units`.
    pub fn per(self, units: u64) -> Switches {
        Switches {
            voluntary: self.voluntary as f64 / units as f64,
            involuntary: self.involuntary as f64 / units as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_percent_is_the_limit() {
        assert!(fits(2.0, 2.039) && fits(2.0, 1.961));
        assert!(!fits(2.0, 2.05) && !fits(2.0, 1.95));
        // The well-known miscount: 4 claimed, 10 made.
        assert!(!fits(4.0, 10.0));
        // "64 ns a switch" without one.
        assert!(!fits(1.0, 0.0));
    }

    #[test]
    fn where_none_is_expected_hardly_any_may_be() {
        assert!(fits(0.0, 0.0) && fits(0.0, 0.02));
        assert!(!fits(0.0, 0.03));
        assert!(!fits(0.0, 1.0));
    }

    #[test]
    fn rubbish_does_not_fit() {
        assert!(!fits(2.0, f64::NAN));
        assert!(!fits(2.0, f64::INFINITY));
    }

    #[test]
    fn sleeping_is_counted() {
        let (before, after) = std::thread::spawn(|| {
            let before = Counted::of_this_thread();
            for _ in 0..5 {
                std::thread::sleep(std::time::Duration::from_micros(50));
            }
            (before, Counted::of_this_thread())
        })
        .join()
        .unwrap();
        assert!(after.since(before).voluntary >= 5);
    }
}
