//! A computer that does not exist.

use locktoll_lab::clock::{ClockCard, Source};
use locktoll_lab::machine::{Caches, CgroupVersion, CpuPlace, Machine, Topology};
use locktoll_lab::noise::Noise;
use locktoll_lab::stats::Estimate;
use locktoll_results::Made;

/// CPUs of the computer: four cores of two threads in two sockets.
pub const CPUS: usize = 8;

/// All that a report says of it.
pub fn computer() -> Machine {
    Machine {
        kernel: Some("6.1.0".to_owned()),
        libc: Some("glibc 2.36".to_owned()),
        cpu_model: Some("Imagined CPU".to_owned()),
        architecture: "x86_64".to_owned(),
        online_cpus: Some(CPUS),
        usable_cpus: (0..CPUS).collect(),
        topology: Topology {
            cpus: (0..CPUS).map(place).collect(),
            packages: Some(2),
            cores: Some(4),
            threads_per_core: Some(2),
            numa_nodes: Some(2),
            caches: Caches {
                line_bytes: Some(64),
                l1d_bytes: Some(32 << 10),
                l2_bytes: Some(1 << 20),
                l3_bytes: Some(16 << 20),
            },
        },
        virtual_machine: Some(false),
        container: None,
        cgroup_version: Some(CgroupVersion::V2),
        cgroup: Some("/".to_owned()),
        quota_cpus: None,
        governor: Some("performance".to_owned()),
        clocksource: Some("tsc".to_owned()),
        stand_in: None,
    }
}

fn place(cpu: usize) -> CpuPlace {
    let (core, package) = (cpu % 4, cpu % 4 / 2);
    CpuPlace {
        cpu,
        package: Some(package as i64),
        core: Some(core as i64),
        siblings: vec![core, core + 4],
        numa_node: Some(package),
    }
}

/// One day, on it.
pub fn made() -> Made {
    Made {
        date: Some("2026-11-24T11:30:00Z".to_owned()),
        host: Some("imagined".to_owned()),
        locktoll: Some("0.1.0".to_owned()),
        machine: None,
    }
}

/// Its clock.
pub fn clock() -> ClockCard {
    ClockCard {
        source: Source::Tsc,
        fallback_reason: None,
        trusted_because: None,
        ticks_per_ns: 2.6,
        cost_ns: 15.2,
        precision_ns: 0.4,
    }
}

/// A somewhat disturbed minute.
pub fn noise() -> Noise {
    Noise {
        steal_share: Some(0.021),
        other_load_share: Some(0.004),
        runnable_others: Some(0),
        throttled_ns: None,
        duration_ns: 61_000_000_000,
        warnings: vec!["the hypervisor took 2.1 % of the CPU time away (steal)".to_owned()],
    }
}

/// A figure of 15 rounds that may be off by `spread` (a share of it) on either side.
pub fn about(median: f64, spread: f64) -> Estimate {
    Estimate {
        median,
        low: median - median.abs() * spread,
        high: median + median.abs() * spread,
        n: 15,
    }
}
