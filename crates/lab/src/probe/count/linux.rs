//! getrusage(2), which counts for each thread.

use super::Count;
use crate::probe::Switches;

/// Switches of one thread or process, since its start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::probe) struct Counted {
    pub voluntary: u64,
    pub involuntary: u64,
}

impl Counted {
    /// Reads the counts of the calling thread by getrusage(2). The kernel counts when it takes the CPU from a thread.
    ///
    /// A yield to another thread counts as involuntary: the thread stays runnable (`__schedule` in kernel/sched/core.c).
    pub fn of_this_thread() -> Counted {
        let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
        // SAFETY: the kernel fills the struct we own; if the call fails, all zeroes is a valid rusage.
        let usage = unsafe {
            libc::getrusage(libc::RUSAGE_THREAD, usage.as_mut_ptr());
            usage.assume_init()
        };
        Counted {
            voluntary: usage.ru_nvcsw as u64,
            involuntary: usage.ru_nivcsw as u64,
        }
    }

    /// Returns the switches since `earlier`, or zero if `earlier` is the later reading.
    pub fn since(self, earlier: Counted) -> Counted {
        Counted {
            voluntary: self.voluntary.saturating_sub(earlier.voluntary),
            involuntary: self.involuntary.saturating_sub(earlier.involuntary),
        }
    }

    /// Returns the sum of both threads.
    pub fn plus(self, other: Counted) -> Counted {
        Counted {
            voluntary: self.voluntary + other.voluntary,
            involuntary: self.involuntary + other.involuntary,
        }
    }

    /// Returns the switches per unit.
    pub fn per(self, units: u64) -> Count {
        Count::from(Switches {
            voluntary: self.voluntary as f64 / units as f64,
            involuntary: self.involuntary as f64 / units as f64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // Each sleep gives up the processor; one that is preempted on the way, and whose time is over by then, does so
        // involuntarily.
        let Counted {
            voluntary,
            involuntary,
        } = after.since(before);
        assert!(voluntary > 0 && voluntary + involuntary >= 5);
    }
}
