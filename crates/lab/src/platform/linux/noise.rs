//! The activity of other programs, from `/proc` and the control groups.

use super::accounts::cpu_time_with_children;
use super::cgroup::throttled_ns;
use super::own_runnable::own_runnable;
use super::proc_stat::{ProcStat, tick_ns};
use super::tree::Tree;
use crate::platform::{CpuTime, Reading};

/// Reads the counters, which takes some tens of microseconds.
pub(crate) fn noise_reading() -> Reading {
    let tree = Tree::system();
    let stat = ProcStat::read(&tree);
    Reading {
        cpus: stat.map(|stat| CpuTime {
            total: stat.ticks.total(),
            busy: stat.ticks.busy(),
            steal: Some(stat.ticks.steal),
            unit_ns: tick_ns(),
            grain: 1,
        }),
        own_cpu: cpu_time_with_children(),
        runnable_others: stat
            .and_then(|stat| stat.runnable)
            .map(|all| all.saturating_sub(own_runnable(&tree))),
        throttled_ns: throttled_ns(&tree),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::noise::Watch;

    #[test]
    fn a_real_stretch_has_shares_and_names_of_the_contract() {
        let watch = Watch::start();
        // Long enough for LEAST_GRAINS of one CPU at 100 ticks a second.
        std::thread::sleep(Duration::from_millis(250));
        let json = serde_json::to_value(watch.finish()).unwrap();
        for share in ["steal", "other_load"] {
            let share = json[share].as_f64().expect("readable on Linux");
            assert!((0.0..=1.0).contains(&share));
        }
        assert!(json["duration_ns"].as_u64().unwrap() >= 250_000_000);
    }
}
