//! The clock: its counter, its rate and its cost.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::counter::{self, Source};
use super::rate::steady_rate;
use super::trust;
use crate::platform::monotonic_ns;

/// Number of batches, of which the least disturbed one counts.
const TRIES: u32 = 16;

/// A calibrated clock. Copying it is cheap; [`now`](Clock::now) takes a reading.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    source: Source,
    ticks_per_ns: f64,
    ns_per_tick: f64,
    cost_ns: f64,
    precision_ns: f64,
}

/// A report's information about the clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ClockCard {
    /// The source of the readings.
    pub source: Source,
    /// Why the source is not the processor's counter; `None` if it is.
    pub fallback_reason: Option<String>,
    /// Why the processor's counter is trusted, if the system does not name it as its own time source.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trusted_because: Option<String>,
    /// Ticks of the source per nanosecond.
    pub ticks_per_ns: f64,
    /// Time that one reading takes, in nanoseconds: the lowest value seen over several batches.
    pub cost_ns: f64,
    /// Smallest non-zero difference of two consecutive readings, in nanoseconds.
    pub precision_ns: f64,
}

struct Calibrated {
    clock: Clock,
    fallback_reason: Option<String>,
    trusted_because: Option<String>,
}

impl Clock {
    /// Returns the clock of this process, calibrated at the first call (about 17 ms).
    pub fn get() -> &'static Clock {
        &Self::shared().clock
    }

    /// Returns the choice made by [`Clock::get`], and its reasons.
    pub fn card() -> ClockCard {
        let shared = Self::shared();
        ClockCard {
            source: shared.clock.source,
            fallback_reason: shared.fallback_reason.clone(),
            trusted_because: shared.trusted_because.clone(),
            ticks_per_ns: shared.clock.ticks_per_ns,
            cost_ns: shared.clock.cost_ns,
            precision_ns: shared.clock.precision_ns,
        }
    }

    /// Calibrates anew: sleeps twice for 8 ms, comparing the counter with the system's clock.
    ///
    /// It sleeps rather than spins, to detect a counter that stops while the processor idles.
    pub fn calibrate() -> Clock {
        Self::calibrate_with_reason().clock
    }

    fn shared() -> &'static Calibrated {
        static SHARED: OnceLock<Calibrated> = OnceLock::new();
        SHARED.get_or_init(Self::calibrate_with_reason)
    }

    fn calibrate_with_reason() -> Calibrated {
        match trust::processor_counter().and_then(|trusted| Ok((trusted, steady_rate()?))) {
            Ok((trusted, ticks_per_ns)) => Calibrated {
                clock: Self::priced(trusted.source, ticks_per_ns),
                fallback_reason: None,
                trusted_because: trusted.because,
            },
            Err(reason) => Calibrated {
                clock: Self::priced(Source::Monotonic, 1.0),
                fallback_reason: Some(reason),
                trusted_because: None,
            },
        }
    }

    /// Measures the cost and the precision of a reading.
    fn priced(source: Source, ticks_per_ns: f64) -> Clock {
        let mut clock = Clock {
            source,
            ticks_per_ns,
            ns_per_tick: 1.0 / ticks_per_ns,
            cost_ns: 0.0,
            precision_ns: 0.0,
        };
        let cost_ticks = (0..TRIES)
            .map(|_| clock.cost_of_a_batch())
            .min_by(f64::total_cmp);
        clock.cost_ns = cost_ticks.unwrap_or(0.0) * clock.ns_per_tick;
        clock.precision_ns = clock.ns(clock.least_step());
        clock
    }

    /// Returns the ticks that one reading takes, from a batch short enough to fit between two timer ticks.
    fn cost_of_a_batch(&self) -> f64 {
        const READINGS: u32 = 1_000;
        let start = self.now();
        for _ in 0..READINGS {
            std::hint::black_box(self.now());
        }
        (self.now() - start) as f64 / f64::from(READINGS + 1)
    }

    fn least_step(&self) -> u64 {
        (0..2_000)
            .filter_map(|_| {
                let first = self.now();
                let step = self.now().saturating_sub(first);
                (step > 0).then_some(step)
            })
            .min()
            .unwrap_or(1)
    }

    /// Returns the current reading, in ticks of the source. Readings of different threads are comparable.
    #[inline(always)]
    pub fn now(&self) -> u64 {
        // The branch always goes the same way within a process, and costs well under a nanosecond.
        match self.source {
            Source::Monotonic => monotonic_ns(),
            Source::Tsc | Source::Cntvct => counter::processor(),
        }
    }

    /// Converts ticks to nanoseconds.
    #[inline]
    pub fn ns(&self, ticks: u64) -> f64 {
        ticks as f64 * self.ns_per_tick
    }

    /// Converts nanoseconds to ticks, rounded to the nearest. Negative times become zero ticks, and times that do not fit become
    /// the largest count.
    #[inline]
    pub fn ticks(&self, ns: f64) -> u64 {
        // A cast from float to integer saturates at both ends.
        (ns * self.ticks_per_ns).round() as u64
    }

    /// Returns the source of the readings.
    pub fn source(&self) -> Source {
        self.source
    }

    /// Returns the time that one reading takes, in nanoseconds.
    pub fn cost_ns(&self) -> f64 {
        self.cost_ns
    }

    /// Returns the smallest non-zero difference of two consecutive readings, in nanoseconds.
    pub fn precision_ns(&self) -> f64 {
        self.precision_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn agrees_with_the_kernels_clock() {
        let clock = Clock::get();
        // Anchors discard readings that were preempted, so this holds on a busy machine too.
        let read = || {
            (0..50)
                .map(|_| {
                    let before = monotonic_ns();
                    let ticks = clock.now();
                    (monotonic_ns() - before, before, ticks)
                })
                .min()
                .expect("fifty attempts")
        };
        let (window_a, ns_a, ticks_a) = read();
        std::thread::sleep(Duration::from_millis(20));
        let (window_b, ns_b, ticks_b) = read();
        let kernel_ns = (ns_b - ns_a) as f64;
        let slack_ns =
            kernel_ns * 2.0 * super::super::rate::STEADY_WITHIN + (window_a + window_b) as f64;
        assert!(
            (clock.ns(ticks_b - ticks_a) - kernel_ns).abs() <= slack_ns,
            "{} against {kernel_ns}",
            clock.ns(ticks_b - ticks_a)
        );
    }

    #[test]
    fn conversion_goes_both_ways_and_saturates() {
        let clock = Clock::get();
        for ns in [1.0, 1_000.0, 1e9] {
            let back = clock.ns(clock.ticks(ns));
            assert!(
                (back - ns).abs() <= 1.0 / clock.ticks_per_ns,
                "{ns} -> {back}"
            );
        }
        assert_eq!(clock.ticks(-5.0), 0);
        assert_eq!(clock.ticks(f64::INFINITY), u64::MAX);
    }

    #[test]
    fn the_card_says_why_it_fell_back() {
        let card = Clock::card();
        assert_eq!(
            card.source == Source::Monotonic,
            card.fallback_reason.is_some()
        );
        assert!(card.cost_ns > 0.0 && card.precision_ns > 0.0);
        let json = serde_json::to_value(&card).unwrap();
        assert!(["tsc", "cntvct", "monotonic"].contains(&json["source"].as_str().unwrap()));
    }
}
