//! A watch over one stretch of measurement.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::platform::{self, CpuTime, Reading};

/// Stolen share of the machine's capacity above which a report warns.
const STEAL_WARNS: f64 = 0.01;
/// Share of the capacity used by other processes above which a report warns.
const OTHER_LOAD_WARNS: f64 = 0.05;
/// Grains of one CPU's account (10 ms on Linux) below which shares say nothing: twenty grains make one grain 5 %.
const LEAST_GRAINS: u64 = 20;

/// Counters at the start; [`finish`](Watch::finish) compares them with the end.
#[derive(Debug)]
pub struct Watch {
    start: Reading,
    at: Instant,
}

/// Evidence of disturbances of a measurement. `None`: the value could not be read, or the stretch was too short for the grain of
/// the system's account (10 ms on Linux, 15.6 ms on Windows).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Noise {
    /// Share of the capacity of all CPUs (0 to 1) that the hypervisor gave to others while a CPU here had work.
    #[serde(rename = "steal")]
    pub steal_share: Option<f64>,
    /// Share of the capacity of all CPUs (0 to 1) that other processes and interrupts used. Our own time, and that of children
    /// that have been waited for, is subtracted.
    #[serde(rename = "other_load")]
    pub other_load_share: Option<f64>,
    /// Other processes' threads that were ready to run at the start or at the end, whichever was more.
    pub runnable_others: Option<u64>,
    /// Time for which the control group's quota stopped this process, in nanoseconds.
    pub throttled_ns: Option<u64>,
    /// Length of the stretch in nanoseconds.
    pub duration_ns: u64,
    /// Facts that a reader should know before trusting the figures, one sentence each.
    pub warnings: Vec<String>,
}

impl Watch {
    /// Reads the counters, which takes some tens of microseconds.
    pub fn start() -> Watch {
        Watch {
            start: platform::noise_reading(),
            at: Instant::now(),
        }
    }

    /// Reads them again, and reports the changes in between.
    pub fn finish(self) -> Noise {
        let duration = self.at.elapsed();
        judge(&self.start, &platform::noise_reading(), duration)
    }
}

/// The judgement itself, separate from the source of the counters.
fn judge(start: &Reading, end: &Reading, duration: Duration) -> Noise {
    let shares = start.cpus.zip(end.cpus).and_then(|(before, after)| {
        shares(&before, &after, end.own_cpu.saturating_sub(start.own_cpu))
    });
    let throttled_ns = start
        .throttled_ns
        .zip(end.throttled_ns)
        .map(|(before, after)| after.saturating_sub(before));
    let mut noise = Noise {
        steal_share: shares.and_then(|(steal, _)| steal),
        other_load_share: shares.map(|(_, other)| other),
        runnable_others: start.runnable_others.max(end.runnable_others),
        throttled_ns,
        duration_ns: u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX),
        warnings: Vec::new(),
    };
    noise.warnings = warnings(&noise);
    noise
}

/// Returns the stolen share, where the system reports it, and the share of others.
fn shares(before: &CpuTime, after: &CpuTime, own_cpu: Duration) -> Option<(Option<f64>, f64)> {
    // Counters in a container's own `/proc/stat` may go back when it is moved.
    let total = after.total.checked_sub(before.total)?;
    if total < LEAST_GRAINS * after.grain {
        return None;
    }
    let total = total as f64;
    let busy = after.busy.checked_sub(before.busy)? as f64;
    let steal = match after.steal.zip(before.steal) {
        Some((after, before)) => Some(after.checked_sub(before)? as f64 / total),
        None => None,
    };
    let own = own_cpu.as_nanos() as f64 / after.unit_ns;
    Some((steal, ((busy - own) / total).clamp(0.0, 1.0)))
}

fn warnings(noise: &Noise) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(steal) = noise.steal_share.filter(|share| *share > STEAL_WARNS) {
        warnings.push(format!(
            "the hypervisor took {:.1} % of the CPU time away (steal)",
            steal * 100.0
        ));
    }
    if let Some(other) = noise
        .other_load_share
        .filter(|share| *share > OTHER_LOAD_WARNS)
    {
        warnings.push(format!(
            "other processes used {:.1} % of the machine's CPU time",
            other * 100.0
        ));
    }
    if let Some(throttled_ns) = noise.throttled_ns.filter(|ns| *ns > 0) {
        warnings.push(format!(
            "the control group's CPU quota stopped this process for {:.1} ms",
            throttled_ns as f64 / 1e6
        ));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    const TICK_NS: f64 = 1e7;

    fn reading(busy: u64, steal: u64, total: u64) -> Reading {
        Reading {
            cpus: Some(CpuTime {
                total,
                busy,
                steal: Some(steal),
                unit_ns: TICK_NS,
                grain: 1,
            }),
            runnable_others: Some(0),
            ..Reading::default()
        }
    }

    #[test]
    fn our_own_time_is_not_noise() {
        let mut end = reading(600, 0, 1_000);
        end.own_cpu = Duration::from_nanos((600.0 * TICK_NS) as u64);
        let noise = judge(&reading(0, 0, 0), &end, Duration::from_secs(5));
        assert!(noise.other_load_share.unwrap() < 1e-6);
        assert!(noise.warnings.is_empty(), "{:?}", noise.warnings);
    }

    #[test]
    fn steal_others_and_a_quota_are_told() {
        let mut end = reading(300, 50, 1_000);
        let mut start = reading(0, 0, 0);
        (start.throttled_ns, end.throttled_ns) = (Some(5), Some(2_000_005));
        end.runnable_others = Some(3);
        let noise = judge(&start, &end, Duration::from_secs(5));
        assert_eq!(noise.steal_share, Some(0.05));
        assert_eq!(noise.other_load_share, Some(0.3));
        assert_eq!(noise.throttled_ns, Some(2_000_000));
        assert_eq!(noise.runnable_others, Some(3));
        assert_eq!(noise.warnings.len(), 3);
        assert!(noise.warnings[0].contains("5.0 %"));
        assert!(noise.warnings[1].contains("30.0 %"));
        assert!(noise.warnings[2].contains("2.0 ms"));
    }

    #[test]
    fn too_short_or_unreadable_is_unknown() {
        let noise = judge(
            &reading(0, 0, 0),
            &reading(3, 0, 4),
            Duration::from_millis(20),
        );
        assert_eq!((noise.steal_share, noise.other_load_share), (None, None));
        let noise = judge(&Reading::default(), &Reading::default(), Duration::ZERO);
        assert_eq!(noise.steal_share, None);
        assert!(noise.warnings.is_empty());
    }

    #[test]
    fn counters_that_went_back_are_unknown() {
        let noise = judge(
            &reading(50, 0, 500),
            &reading(10, 0, 900),
            Duration::from_secs(1),
        );
        assert_eq!(noise.other_load_share, None);
    }

    #[test]
    fn a_system_that_knows_no_steal_still_knows_its_load() {
        let of = |busy, total| {
            let mut reading = reading(busy, 0, total);
            reading.cpus = reading.cpus.map(|cpus| CpuTime {
                steal: None,
                ..cpus
            });
            reading
        };
        let noise = judge(&of(0, 0), &of(300, 1_000), Duration::from_secs(5));
        assert_eq!(
            (noise.steal_share, noise.other_load_share),
            (None, Some(0.3))
        );
        assert_eq!(noise.warnings.len(), 1, "{:?}", noise.warnings);
    }
}
