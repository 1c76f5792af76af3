//! The rate of the processor's counter, measured by the kernel's clock.

use std::time::Duration;

use super::counter;
use crate::platform::monotonic_ns;

/// Time between two comparisons of the counter with the kernel's clock; two such spans are taken.
const SPAN: Duration = Duration::from_millis(8);
/// Number of readings, of which the least disturbed one is kept.
const TRIES: u32 = 16;
/// The largest relative difference between the two spans at which the counter still counts as steady. A window of 100 ns at each
/// end of 8 ms is 25 parts in a million; the rest allows for clock adjustment.
pub(super) const STEADY_WITHIN: f64 = 1e-3;

/// The counter and the kernel's clock read at nearly the same moment.
#[derive(Clone, Copy)]
struct Anchor {
    ticks: u64,
    monotonic_ns: u64,
}

impl Anchor {
    /// Takes the best of several attempts: the one whose two readings of the kernel's clock are closest together. A preemption
    /// between them shows as a wide window and loses.
    fn take() -> Anchor {
        (0..TRIES)
            .map(|_| {
                let before_ns = monotonic_ns();
                let ticks = counter::processor();
                let window_ns = monotonic_ns() - before_ns;
                let anchor = Anchor {
                    ticks,
                    monotonic_ns: before_ns + window_ns / 2,
                };
                (window_ns, anchor)
            })
            .min_by_key(|(window_ns, _)| *window_ns)
            .expect("TRIES is not zero")
            .1
    }

    fn rate_since(&self, earlier: &Anchor) -> f64 {
        self.ticks.wrapping_sub(earlier.ticks) as f64
            / (self.monotonic_ns - earlier.monotonic_ns) as f64
    }
}

/// Returns the ticks per nanosecond, or why the counter cannot be trusted.
pub(super) fn steady_rate() -> Result<f64, String> {
    let start = Anchor::take();
    std::thread::sleep(SPAN);
    let middle = Anchor::take();
    std::thread::sleep(SPAN);
    let end = Anchor::take();
    agree(middle.rate_since(&start), end.rate_since(&middle))?;
    Ok(end.rate_since(&start))
}

fn agree(first: f64, second: f64) -> Result<(), String> {
    let apart = (first / second - 1.0).abs();
    // Written so that a NaN (a counter that stands still) is refused as well.
    if apart < STEADY_WITHIN {
        Ok(())
    } else {
        Err(format!(
            "the counter's rate changed from {first:.4} to {second:.4} ticks a nanosecond while calibrating"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsteady_counter_is_refused() {
        assert!(agree(2.6, 2.6001).is_ok());
        assert!(agree(2.6, 2.7).is_err());
        assert!(agree(0.0, 0.0).is_err());
        assert!(agree(2.6, 0.0).is_err());
    }
}
