//! How much CPU time may be used to examine code.

use std::time::{Duration, Instant};

/// What is granted at the beginning, when all code is new.
const START: Duration = Duration::from_millis(100);
/// What is granted from then on: a hundredth of one CPU.
const SHARE: u32 = 100;

/// A budget that grows with time.
#[derive(Debug)]
pub struct Budget {
    began: Instant,
    used: Duration,
}

impl Budget {
    /// Starts with the first grant.
    pub fn begin() -> Self {
        Self {
            began: Instant::now(),
            used: Duration::ZERO,
        }
    }

    /// Whether something is left.
    pub fn is_left(&self) -> bool {
        self.used < START + self.began.elapsed() / SHARE
    }

    /// Does `work` and takes its time from the budget.
    pub fn spend<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let began = Instant::now();
        let done = work();
        self.used += began.elapsed();
        done
    }
}
