//! A made-up price list.

use locktoll_lab::probe::*;

use super::computer::{CPUS, about, clock, computer, made, noise};
use locktoll_results::machine::MachineResult;

/// Everything a price list can have: figures, refusals, a matrix, curves.
pub fn machine_result() -> MachineResult {
    MachineResult {
        schema: "locktoll.machine/1".to_owned(),
        version: "0.0.0".to_owned(),
        made: Some(made()),
        machine: computer(),
        clock: clock(),
        noise: noise(),
        quick: false,
        partial: false,
        prices: Prices {
            parts: parts(),
            decomposition: decomposition(),
            transfers: Some(transfers()),
            refill: refill(),
            locks: locks(),
            java: Some(Java {
                version: Some("17.0.9".to_owned()),
                refused: None,
                park_unpark_ns: Some(about(6_900.0, 0.06)),
                synchronized_ns: Some(about(21.0, 0.03)),
                reentrant_lock_ns: Some(about(24.0, 0.04)),
            }),
            counters: Some(Counters {
                available: false,
                refused: Some("perf_event_open: this machine has no hardware counters".to_owned()),
                cache_misses_per_switch: None,
                tlb_misses_per_switch: None,
            }),
            park_misses: Some(ParkMisses {
                per_switch: Some(about(0.0012, 0.5)),
                found_by: Some(MissesFoundBy::Time),
                not_counted: Some(
                    "perf_event_open: this machine has no hardware counters".to_owned(),
                ),
                refused: None,
                scale: Some(AccessScale {
                    cached_ns: 22.0,
                    displaced_ns: Some(41.0),
                    missed_ns: 133.0,
                    from_ns: 105.0,
                    to_ns: 1_064.0,
                    recognised: 0.99,
                    lines_of_a_switch: 212.0,
                }),
            }),
            scheduling: Scheduling {
                policy: "SCHED_OTHER".to_owned(),
                refused: Some("SCHED_FIFO is not permitted (CAP_SYS_NICE)".to_owned()),
                realtime_share: None,
            },
        },
    }
}

/// Name, title, section, nanoseconds, switches of a round.
type Line = (&'static str, &'static str, Group, f64, Option<f64>);

const LINES: [Line; 17] = [
    ("load", "plain load", Group::Memory, 0.4, None),
    ("store", "plain store", Group::Memory, 0.5, None),
    (
        "atomic-add",
        "atomic add, line in own cache",
        Group::Memory,
        5.8,
        None,
    ),
    (
        "cmpxchg",
        "compare and exchange, line in own cache",
        Group::Memory,
        6.2,
        None,
    ),
    (
        "line-transfer",
        "cache line from another CPU",
        Group::Memory,
        58.0,
        None,
    ),
    (
        "syscall",
        "system call that does nothing",
        Group::KernelEntry,
        92.0,
        None,
    ),
    (
        "futex-wake-none",
        "futex wake, nobody waits",
        Group::KernelEntry,
        131.0,
        None,
    ),
    (
        "futex-wait-stale",
        "futex wait that returns at once",
        Group::KernelEntry,
        142.0,
        None,
    ),
    (
        "yield",
        "yield, nobody else runnable",
        Group::Switch,
        210.0,
        Some(0.0),
    ),
    (
        "switch",
        "switch between two threads",
        Group::Switch,
        640.0,
        Some(2.0),
    ),
    (
        "address-space",
        "added for another address space",
        Group::Switch,
        190.0,
        Some(2.0),
    ),
    (
        "wake-up",
        "sleep and wake-up on one CPU",
        Group::WakeUp,
        950.0,
        Some(2.0),
    ),
    (
        "remote-wake-up",
        "added for waking another CPU",
        Group::WakeUp,
        2_350.0,
        Some(2.0),
    ),
    (
        "idle-exit",
        "leaving the idle state",
        Group::WakeUp,
        1_120.0,
        Some(2.0),
    ),
    (
        "pipe-one-cpu",
        "pipe, one CPU",
        Group::RoundTrip,
        2_280.0,
        Some(2.0),
    ),
    (
        "eventfd-one-cpu",
        "eventfd, one CPU",
        Group::RoundTrip,
        2_150.0,
        Some(2.0),
    ),
    (
        "condvar-two-cpus",
        "condition variable, two CPUs",
        Group::RoundTrip,
        2_510.0,
        Some(2.0),
    ),
];

fn parts() -> Vec<Part> {
    let mut parts: Vec<Part> = LINES
        .into_iter()
        .map(|(name, title, group, ns, switches)| Part {
            value: Some(about(ns, 0.04)),
            switches_expected: switches,
            switches_counted: switches.map(|expected| expected * 1.002),
            mix: switches.map(|expected| Switches {
                voluntary: expected * 0.97,
                involuntary: expected * 0.032,
            }),
            refused: None,
            ..refused(name, title, group, "")
        })
        .collect();
    parts.insert(
        5,
        refused(
            "split-lock",
            "atomic across two lines",
            Group::Memory,
            "the kernel traps split locks here",
        ),
    );
    parts.push(refused(
        "signal",
        "signal, one way",
        Group::RoundTrip,
        "the kernel counted 5.100 switches where 2.000 are expected",
    ));
    parts
}

fn refused(name: &str, title: &str, group: Group, why: &str) -> Part {
    Part {
        name: name.to_owned(),
        title: title.to_owned(),
        group,
        formula: format!("median over rounds of {name}"),
        value: None,
        switches_expected: Some(2.0),
        switches_counted: Some(5.1),
        mix: None,
        refused: Some(why.to_owned()),
        note: None,
    }
}

/// What a hand-over on one CPU is made of; one across two has these as well.
fn shares_of_one_cpu() -> Vec<Share> {
    vec![
        share("system-calls", "system calls", 273.0),
        share("switch", "switch", 640.0),
        share("scheduler", "scheduler", 950.0),
    ]
}

fn share(name: &str, title: &str, ns: f64) -> Share {
    Share {
        found: match name {
            "system-calls" | "switch" => Found::Measured,
            _ => Found::Subtraction,
        },
        name: name.to_owned(),
        title: title.to_owned(),
        ns: about(ns, 0.05),
        formula: format!("{title}, from the list above"),
    }
}

fn arm(name: &str, predicted: f64, residual: f64) -> Arm {
    Arm {
        name: name.to_owned(),
        measured_ns: about(predicted + residual, 0.03),
        predicted_ns: about(predicted, 0.05),
        residual_ns: about(residual, 0.8),
    }
}

fn decomposition() -> Decomposition {
    Decomposition {
        whole: None,
        subtracted_from: None,
        same_cpu: Some(HandOver {
            total_ns: about(1_930.0, 0.03),
            parts: shares_of_one_cpu(),
            residual_ns: about(67.0, 0.9),
            arms: vec![
                arm("pipe", 2_190.0, 90.0),
                arm("park", 2_200.0, -50.0),
                arm("condvar", 2_390.0, 120.0),
            ],
            arms_refused: Vec::new(),
        }),
        cross_cpu: Some(HandOver {
            total_ns: about(5_290.0, 0.06),
            parts: [
                shares_of_one_cpu(),
                vec![
                    share("crossing", "crossing to the other CPU", 2_350.0),
                    share("idle-exit", "leaving the idle state", 1_120.0),
                ],
            ]
            .concat(),
            residual_ns: about(-43.0, 1.5),
            arms: vec![arm("pipe", 5_500.0, 310.0), arm("park", 5_450.0, -160.0)],
            arms_refused: vec!["condition variable: stopped after 4 of 6 rounds".to_owned()],
        }),
        refused: None,
    }
}

fn transfers() -> Transfers {
    let ns = |from: usize, to: usize| match (from % 4 == to % 4, from % 4 / 2 == to % 4 / 2) {
        (true, _) => 14.0,
        (false, true) => 46.0 + (from + to) as f64,
        (false, false) => 118.0 + (from + 2 * to) as f64,
    };
    let cell = |from: usize, to: usize| match (from, to) {
        _ if from == to => None,
        // One that was refused.
        (5, 2) => None,
        _ => Some(about(ns(from, to), 0.05)),
    };
    Transfers {
        cpus: (0..CPUS).collect(),
        one_way_ns: (0..CPUS)
            .map(|from| (0..CPUS).map(|to| cell(from, to)).collect())
            .collect(),
    }
}

fn refill() -> Vec<Refill> {
    let mut curves = Vec::new();
    for (kind, per_line) in [
        (RefillKind::Shared, 0.02),
        (RefillKind::Own, 1.0),
        (RefillKind::OwnProcess, 1.35),
        (RefillKind::OwnHugePages, 0.8),
    ] {
        for power in 12..=26 {
            let bytes = 1u64 << power;
            let lines = (bytes / 64) as f64;
            let lost = match power {
                ..15 => 3.0,
                15..20 => 6.0,
                20..24 => 9.0,
                _ => 2.0,
            };
            let refused = kind == RefillKind::OwnHugePages && power < 21;
            curves.push(Refill {
                bytes,
                kind,
                added_ns: (!refused).then(|| about(lines * lost * per_line, 0.1)),
                refused: refused.then(|| "smaller than a huge page".to_owned()),
            });
        }
    }
    curves
}

fn locks() -> Vec<LockPrice> {
    let mut locks: Vec<LockPrice> = [
        ("pthread", 18.2, Some(0.0)),
        ("std", 12.1, Some(0.0)),
        ("parking_lot", 12.4, Some(0.0)),
        ("tas", 10.4, Some(0.0)),
        ("ticket", 11.0, Some(0.0)),
        ("clh", 15.5, Some(0.0)),
        ("mcs", 17.8, Some(0.0)),
        ("futex3", 12.0, Some(0.0)),
        ("pthread-pi", 21.3, Some(0.0)),
        ("posix-sem", 16.9, Some(0.0)),
        ("eventfd", 512.0, Some(2.0)),
        ("sysv-sem", 606.0, Some(2.0)),
    ]
    .into_iter()
    .map(|(name, ns, entries)| LockPrice {
        by_wall_clock: false,
        name: name.to_owned(),
        uncontended_ns: Some(about(ns, 0.03)),
        kernel_entries_per_op: entries,
        refused: None,
    })
    .collect();
    locks.push(LockPrice {
        by_wall_clock: false,
        name: "flock".to_owned(),
        uncontended_ns: None,
        kernel_entries_per_op: None,
        refused: Some("flock: no such file".to_owned()),
    });
    locks
}
