//! Processors, clocks, and disturbances of times.

use locktoll_lab::clock::Clock;

use super::small_files::text;

/// Processors, clocks, and disturbances of times.
#[derive(Clone, Debug, PartialEq)]
pub struct Processor {
    /// Why times are not read from the processor's own counter; `None` where they are.
    pub clock_fallback: Option<String>,
    /// Clock sources that the kernel could use.
    pub clock_sources: Vec<String>,
    /// Share of the processors' time since boot that the hypervisor gave to others.
    pub steal_share: Option<f64>,
    /// Whether two threads may run on one core at the same time.
    pub hyperthreads: Option<bool>,
}

impl Processor {
    /// Reads everything. This takes 20 ms, since the clock is calibrated.
    pub(super) fn read() -> Self {
        let sources = text("/sys/devices/system/clocksource/clocksource0/available_clocksource");
        Self {
            clock_fallback: Clock::card().fallback_reason,
            clock_sources: sources
                .map(|list| list.split_whitespace().map(str::to_owned).collect())
                .unwrap_or_default(),
            steal_share: text("/proc/stat").and_then(|stat| steal_share(&stat)),
            hyperthreads: text("/sys/devices/system/cpu/smt/active").map(|active| active == "1"),
        }
    }
}

/// Parses the line `cpu  user nice system idle iowait irq softirq steal guest guest_nice` (proc_stat(5)); the guests' time is
/// part of the user time.
fn steal_share(stat: &str) -> Option<f64> {
    let ticks: Vec<u64> = stat
        .lines()
        .find_map(|line| line.strip_prefix("cpu "))?
        .split_whitespace()
        .take(8)
        .map_while(|field| field.parse().ok())
        .collect();
    let total: u64 = ticks.iter().sum();
    let steal = *ticks.get(7)?;
    (total > 0).then(|| steal as f64 / total as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steal_is_a_share_of_all_time() {
        let stat = "cpu  10 0 10 70 0 0 5 5 9 9\ncpu0 1 1 1 1 1 1 1 1 1 1\n";
        assert_eq!(steal_share(stat), Some(0.05));
        for wrong in ["", "cpu  1 2 3 4", "cpu  0 0 0 0 0 0 0 0", "cpu  a"] {
            assert_eq!(steal_share(wrong), None, "{wrong}");
        }
    }
}
