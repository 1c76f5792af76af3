//! A watch over one stretch of measuring.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::own_runnable::own_runnable;
use crate::machine::{ProcStat, Tree, throttled_ns, tick_ns};

/// Stolen share of the machine's capacity from which a report warns.
const STEAL_WARNS: f64 = 0.01;
/// Share of the capacity used by others from which a report warns.
const OTHER_LOAD_WARNS: f64 = 0.05;
/// Ticks of one CPU below which shares say nothing: with a grain of one tick (10 ms), twenty make
/// the grain 5 %.
const LEAST_TICKS: u64 = 20;

/// Counters at the start; [`finish`](Watch::finish) compares.
#[derive(Debug)]
pub struct Watch {
    start: Reading,
    at: Instant,
}

/// Evidence of what disturbed a measurement. `None`: it could not be read, or the stretch was too
/// short for the kernel's 10 ms ticks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// Share of the capacity of all CPUs (0 to 1) that the hypervisor gave to others while a CPU
    /// here had work.
    #[serde(rename = "steal")]
    pub steal_share: Option<f64>,
    /// Share of the capacity of all CPUs (0 to 1) that other processes and interrupts used. Our
    /// own time and that of children that have been waited for is taken off.
    #[serde(rename = "other_load")]
    pub other_load_share: Option<f64>,
    /// Threads of others that were ready to run at the start or at the end, whichever was more.
    pub runnable_others: Option<u64>,
    /// Time for which the control group's quota stopped this process, in nanoseconds.
    pub throttled_ns: Option<u64>,
    /// Length of the stretch in nanoseconds.
    pub duration_ns: u64,
    /// What a reader should know before trusting the figures, one sentence each.
    pub warnings: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Reading {
    stat: Option<ProcStat>,
    own_cpu: Duration,
    runnable_others: Option<u64>,
    throttled_ns: Option<u64>,
}

impl Reading {
    fn take(tree: &Tree) -> Reading {
        let stat = ProcStat::read(tree);
        Reading {
            stat,
            own_cpu: cpu_time(libc::RUSAGE_SELF) + cpu_time(libc::RUSAGE_CHILDREN),
            runnable_others: stat
                .and_then(|stat| stat.runnable)
                .map(|all| all.saturating_sub(own_runnable(tree))),
            throttled_ns: throttled_ns(tree),
        }
    }
}

impl Watch {
    /// Reads the counters; some tens of microseconds.
    pub fn start() -> Watch {
        Watch {
            start: Reading::take(&Tree::system()),
            at: Instant::now(),
        }
    }

    /// Reads them again and says what happened between.
    pub fn finish(self) -> Noise {
        let duration = self.at.elapsed();
        judge(&self.start, &Reading::take(&Tree::system()), duration)
    }
}

/// The judgement itself, apart from where the counters come from.
fn judge(start: &Reading, end: &Reading, duration: Duration) -> Noise {
    let shares = start.stat.zip(end.stat).and_then(|(before, after)| {
        shares(&before, &after, end.own_cpu.saturating_sub(start.own_cpu))
    });
    let throttled_ns = start
        .throttled_ns
        .zip(end.throttled_ns)
        .map(|(before, after)| after.saturating_sub(before));
    let mut noise = Noise {
        steal_share: shares.map(|(steal, _)| steal),
        other_load_share: shares.map(|(_, other)| other),
        runnable_others: start.runnable_others.max(end.runnable_others),
        throttled_ns,
        duration_ns: u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX),
        warnings: Vec::new(),
    };
    noise.warnings = warnings(&noise);
    noise
}

/// Stolen share and share of others.
fn shares(before: &ProcStat, after: &ProcStat, own_cpu: Duration) -> Option<(f64, f64)> {
    // Counters of a container's own `/proc/stat` may go back when it is moved.
    let total = after.ticks.total().checked_sub(before.ticks.total())?;
    if total < LEAST_TICKS {
        return None;
    }
    let total = total as f64;
    let busy = after.ticks.busy().checked_sub(before.ticks.busy())? as f64;
    let steal = after.ticks.steal.checked_sub(before.ticks.steal)? as f64;
    let own = own_cpu.as_nanos() as f64 / tick_ns();
    Some((steal / total, ((busy - own) / total).clamp(0.0, 1.0)))
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

/// User and system time of this process or of its waited-for children (getrusage(2)).
fn cpu_time(who: libc::c_int) -> Duration {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is to a whole `rusage`, of which zeroes are a valid value should the
    // call fail, and the call fails only for an unknown `who`.
    let usage = unsafe {
        libc::getrusage(who, usage.as_mut_ptr());
        usage.assume_init()
    };
    let part = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    part(usage.ru_utime) + part(usage.ru_stime)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::CpuTicks;

    fn reading(busy: u64, steal: u64, total: u64) -> Reading {
        Reading {
            stat: Some(ProcStat {
                ticks: CpuTicks {
                    user: busy,
                    steal,
                    idle: total - busy - steal,
                    ..CpuTicks::default()
                },
                runnable: Some(1),
                ..ProcStat::default()
            }),
            runnable_others: Some(0),
            ..Reading::default()
        }
    }

    #[test]
    fn our_own_time_is_not_noise() {
        let mut end = reading(600, 0, 1_000);
        end.own_cpu = Duration::from_nanos((600.0 * tick_ns()) as u64);
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
    fn a_real_stretch_has_shares_and_names_of_the_contract() {
        let watch = Watch::start();
        // Long enough for LEAST_TICKS of one CPU at 100 ticks a second.
        std::thread::sleep(Duration::from_millis(250));
        let json = serde_json::to_value(watch.finish()).unwrap();
        for share in ["steal", "other_load"] {
            let share = json[share].as_f64().expect("readable on Linux");
            assert!((0.0..=1.0).contains(&share));
        }
        assert!(json["duration_ns"].as_u64().unwrap() >= 250_000_000);
    }
}
