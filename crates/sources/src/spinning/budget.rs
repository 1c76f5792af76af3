//! How much CPU time may be used to examine code.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// What is granted at the beginning, when all code is new.
const START: Duration = Duration::from_millis(100);
/// What is granted from then on: a four hundredth of one CPU.
const SHARE: u32 = 400;
/// The same for stacks, whose tables take long for large programs.
const SHARE_OF_STACKS: u32 = 1000;

/// A budget that grows with time.
#[derive(Debug)]
pub struct Budget {
    began: Instant,
    used: Duration,
    share: u32,
}

impl Budget {
    /// Starts with the first grant, for examining code.
    pub fn begin() -> Self {
        Self::with(SHARE)
    }

    /// Starts with the first grant, for stacks, which must not take the place of the code itself.
    pub fn of_stacks() -> Self {
        Self::with(SHARE_OF_STACKS)
    }

    fn with(share: u32) -> Self {
        Self {
            began: Instant::now(),
            used: Duration::ZERO,
            share,
        }
    }

    /// Whether something is left.
    pub fn is_left(&self) -> bool {
        self.used < START + self.began.elapsed() / self.share
    }

    /// Does `work` and takes its time from the budget.
    pub fn spend<T>(&mut self, work: impl FnOnce() -> T) -> T {
        // Not by the clock: while the program has both CPUs, this thread waits for one.
        let began = own_cpu_time();
        let done = work();
        self.used += own_cpu_time().saturating_sub(began);
        done
    }
}

/// Returns the CPU time of this thread.
fn own_cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(now.tv_nsec).unwrap_or(0))
}
