//! The end of an interval, and the moments of samples within it.

use std::time::{Duration, Instant};

use locktoll_terminal::interrupt::Interrupt;
use rustix::event::{Timespec, poll};

/// What passes is never looked at more often than this.
const LOOKS_APART: Duration = Duration::from_millis(100);

/// Intervals, one after the other.
pub struct Pace {
    length: Duration,
    /// Looks in each interval.
    looks: u32,
    /// When the last one ended.
    end: Instant,
}

impl Pace {
    /// The first interval begins now. In each there are at most so many looks, and at least one.
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

    /// Waits for the end of the next interval and looks at equal distances until then. Says how many looks there were; `None` if
    /// the user wants to stop.
    pub fn wait(&mut self, interrupt: &Interrupt, mut look: impl FnMut()) -> Option<u32> {
        // Where reading took longer than an interval, intervals are longer, not packed.
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

/// Sleeps, but not through a signal, as the standard library does.
fn sleep_until(moment: Option<Instant>) {
    let Some(left) = moment.map(|at| at.saturating_duration_since(Instant::now())) else {
        return;
    };
    let timeout = Timespec {
        tv_sec: left.as_secs() as i64,
        tv_nsec: i64::from(left.subsec_nanos()),
    };
    if left > Duration::ZERO {
        // The only error is that a signal came, which is as good as the end.
        let _ = poll(&mut [], Some(&timeout));
    }
}
