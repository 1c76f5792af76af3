//! The end of an interval, and the moments of samples within it.

use std::time::{Duration, Instant};

use locktoll_terminal::interrupt::Interrupt;
use rustix::event::{Timespec, poll};

/// Least time between two looks.
const LOOKS_APART: Duration = Duration::from_millis(100);

/// Intervals, one after the other.
pub struct Pace {
    length: Duration,
    /// Number of looks in each interval.
    looks: u32,
    /// When the last interval ended.
    end: Instant,
}

impl Pace {
    /// Begins the first interval now. Each has at most `most_looks` looks, and at least one.
    pub fn new(length: Duration, most_looks: u32) -> Self {
        let fit = length.as_nanos() / LOOKS_APART.as_nanos();
        Self {
            length,
            looks: u32::try_from(fit)
                .unwrap_or(most_looks)
                .clamp(1, most_looks),
            end: Instant::now(),
        }
    }

    /// Waits for the end of the next interval and looks at equal distances until then. Returns how many looks there were; `None`
    /// if the user wants to stop.
    pub fn wait(&mut self, interrupt: &Interrupt, mut look: impl FnMut()) -> Option<u32> {
        // If reading took longer than an interval, the intervals become longer instead of following without a pause.
        self.end = (self.end + self.length).max(Instant::now());
        let apart = self.length / self.looks;
        for left in (0..self.looks).rev() {
            // In the middle of each part.
            sleep_until(self.end.checked_sub(apart * left + apart / 2));
            if interrupt.requested() {
                return None;
            }
            look();
        }
        sleep_until(Some(self.end));
        (!interrupt.requested()).then_some(self.looks)
    }
}

/// Sleeps, but wakes for a signal, unlike the standard library's sleep.
fn sleep_until(moment: Option<Instant>) {
    let Some(left) = moment.map(|at| at.saturating_duration_since(Instant::now())) else {
        return;
    };
    let timeout = Timespec {
        tv_sec: left.as_secs() as i64,
        tv_nsec: i64::from(left.subsec_nanos()),
    };
    if left > Duration::ZERO {
        // The only possible error is that a signal came, which is as good as the end.
        let _ = poll(&mut [], Some(&timeout));
    }
}
