//! Made-up verdicts on claims.

use locktoll_lab::stats::Estimate;

use super::computer::{about, computer, made};
use locktoll_results::reproduction::{
    Check, Claim, ClaimVerdict, Point, Published, Reproduction, Series, Source,
};

/// One claim of each verdict, and one with hostile words.
pub fn reproduction() -> Reproduction {
    Reproduction {
        schema: "locktoll.reproduce/1".to_owned(),
        version: "0.0.0".to_owned(),
        made: Some(made()),
        machine: computer(),
        partial: false,
        claims: vec![
            kernel_or_user(),
            spin_with_back_off(),
            cheap_switch(),
            kernel_spin(),
            depth(),
        ],
    }
}

fn source(article: &str, year: u32, machine: &str) -> Source {
    Source {
        article: article.to_owned(),
        year,
        machine: machine.to_owned(),
    }
}

fn published(what: &str, figure: &str) -> Published {
    Published {
        what: what.to_owned(),
        figure: figure.to_owned(),
        lines: Vec::new(),
    }
}

fn curve(name: &str, unit: &str, ns: impl Fn(f64) -> f64) -> Series {
    let point = |threads: u32| Point {
        x: threads.to_string(),
        y: Some(about(ns(f64::from(threads)), 0.06)),
    };
    Series {
        name: name.to_owned(),
        x_name: "threads".to_owned(),
        unit: unit.to_owned(),
        points: [1, 2, 4, 8, 16, 32, 64].map(point).to_vec(),
    }
}

fn check(
    what: &str,
    bounds: (Option<f64>, Option<f64>),
    published: f64,
    measured: Estimate,
    verdict: ClaimVerdict,
) -> Check {
    Check {
        what: what.to_owned(),
        at_least: bounds.0,
        at_most: bounds.1,
        published: Some(published),
        measured: Some(measured),
        verdict,
        reason: None,
    }
}

fn kernel_or_user() -> Claim {
    Claim {
        id: "A1".to_owned(),
        title: "Kernel lock or user-first lock".to_owned(),
        claim: "Alone, a lock that always enters the kernel costs several times a user-first lock; contended, they are alike."
            .to_owned(),
        source: source("Intel white paper on locks", 2006, "Pentium 4, Windows XP"),
        published: vec![
            published("1 thread", "9187 ms / 1781 ms = 5.2x"),
            published("2 threads", "58156 ms / 53594 ms = 1.1x"),
        ],
        verdict: ClaimVerdict::DoesNotHold,
        because: "kernel lock over user-first lock, 2 threads: measured 11.9 (9.52 to 14.3), claimed 0.8 to 1.5".to_owned(),
        means: Some("No, the kernel lock is far more expensive in both cases. <b>Keep</b> a lock out of the kernel.".to_owned()),
        note: Some("The list lies on one line here; in the article it did not.".to_owned()),
        checks: vec![
            check("kernel lock over user-first lock, 1 thread", (Some(3.0), None), 5.2, about(22.4, 0.05), ClaimVerdict::Holds),
            check("kernel lock over user-first lock, 2 threads", (Some(0.8), Some(1.5)), 1.1, about(11.9, 0.2), ClaimVerdict::DoesNotHold),
        ],
        measured_in: None,
        series: vec![
            curve("sysv-sem", "ns/op", |threads| 606.0 + 300.0 * (threads - 1.0).sqrt()),
            curve("pthread", "ns/op", |threads| 18.0 + 30.0 * (threads - 1.0).sqrt()),
        ],
        commands: vec!["locktoll bench --lock sysv-sem,pthread --workload list --threads 1,2".to_owned()],
        warnings: vec!["the hypervisor took 2.1 % of the CPU time away (steal)".to_owned()],
        figures_from: None,
        rounds: None,
        looks: None,
        two_modes: Vec::new(),
        placement: None,
        duration_ns: 9_400_000_000,
    }
}

fn spin_with_back_off() -> Claim {
    Claim {
        id: "A6".to_owned(),
        title: "Spinning with back-off or without".to_owned(),
        claim: "With back-off a spin lock is much faster, since a preempted holder stalls all spinners.".to_owned(),
        source: source("Intel white paper on locks", 2006, "Pentium 4, Windows XP"),
        published: vec![published("1..64 threads", "much faster")],
        verdict: ClaimVerdict::Holds,
        because: "without over with, 16 threads: measured 4.10 (3.61 to 4.59), claimed at least 1.5".to_owned(),
        means: Some("Yes, and by more than published: back off.".to_owned()),
        note: None,
        checks: vec![check("without over with, 16 threads", (Some(1.5), None), 3.0, about(4.1, 0.12), ClaimVerdict::Holds)],
        measured_in: None,
        series: vec![
            curve("ttas", "ns/op", |threads| 10.0 + 44.0 * (threads - 1.0)),
            curve("ttas-backoff", "ns/op", |threads| 10.0 + 9.0 * (threads - 1.0)),
        ],
        commands: vec!["locktoll bench --lock ttas,ttas-backoff --workload thread-id --threads 1..64x2".to_owned()],
        warnings: Vec::new(),
        figures_from: None,
        rounds: None,
        looks: None,
        two_modes: Vec::new(),
        placement: None,
        duration_ns: 14_000_000_000,
    }
}

fn cheap_switch() -> Claim {
    let mut noisy = check(
        "across CPUs over the same CPU",
        (Some(1.5), None),
        3.1,
        Estimate {
            median: 1.7,
            low: 0.9,
            high: 3.4,
            n: 15,
        },
        ClaimVerdict::CannotBeJudgedHere,
    );
    noisy.reason = Some("the interval spans the bound".to_owned());
    let mut missing = check(
        "hardware misses per switch",
        (None, Some(500.0)),
        320.0,
        about(1.0, 0.0),
        ClaimVerdict::CannotBeJudgedHere,
    );
    missing.measured = None;
    missing.reason = Some("this machine has no hardware counters".to_owned());
    Claim {
        id: "B2".to_owned(),
        title: "A wake-up on one CPU and on two".to_owned(),
        claim: "Waking a thread on another CPU costs about three times as much as on the same."
            .to_owned(),
        source: source(
            "Uni.Bell",
            2015,
            "2.5 GHz Core i5, Ubuntu in a virtual machine",
        ),
        published: vec![
            published("1 core", "1080 ns"),
            published("2 cores", "3400 ns"),
        ],
        verdict: ClaimVerdict::CannotBeJudgedHere,
        because: "across CPUs over the same CPU: measured 1.70 (0.90 to 3.40), claimed at least 1.5: the interval spans the bound".to_owned(),
        means: None,
        note: None,
        checks: vec![noisy, missing],
        measured_in: None,
        series: vec![Series {
            name: "futex ping-pong".to_owned(),
            x_name: "place".to_owned(),
            unit: "ns".to_owned(),
            points: vec![
                Point {
                    x: "one CPU".to_owned(),
                    y: Some(about(1_930.0, 0.05)),
                },
                Point {
                    x: "two CPUs".to_owned(),
                    y: Some(about(3_290.0, 0.6)),
                },
                Point {
                    x: "two sockets".to_owned(),
                    y: None,
                },
            ],
        }],
        commands: vec!["locktoll machine --quick".to_owned()],
        warnings: Vec::new(),
        figures_from: None,
        rounds: None,
        looks: None,
        two_modes: Vec::new(),
        placement: None,
        duration_ns: 3_100_000_000,
    }
}

fn kernel_spin() -> Claim {
    Claim {
        id: "C1".to_owned(),
        title: "How long spin locks of the kernel wait".to_owned(),
        claim: "98 % of the acquisitions of a kernel spin lock take 256 to 511 cycles.".to_owned(),
        source: source("Windows Research Kernel, HPI", 2008, "3 GHz Core2 Duo"),
        published: vec![published("2^8 cycles", "67749 (98.06 %)")],
        verdict: ClaimVerdict::NotYet,
        because: "needs the kernel's own locks to be recorded".to_owned(),
        means: None,
        note: None,
        checks: Vec::new(),
        measured_in: None,
        series: Vec::new(),
        commands: Vec::new(),
        warnings: Vec::new(),
        figures_from: None,
        rounds: None,
        looks: None,
        two_modes: Vec::new(),
        placement: None,
        duration_ns: 0,
    }
}

fn depth() -> Claim {
    Claim {
        id: "E1".to_owned(),
        title: "Depth and delay".to_owned(),
        claim: "Time is about linear in depth and in delay. <script>alert(1)</script>".to_owned(),
        source: source("J. M. Hart <b>TimeMutex</b>", 1998, "100 MHz Pentium, NT 4"),
        published: vec![published("depth 1, 5, 10", "about linear")],
        verdict: ClaimVerdict::Holds,
        because: "depth 10 over depth 5: measured 1.90 (1.82 to 1.98), claimed 1.6 to 2.4"
            .to_owned(),
        means: Some("Yes, nesting costs in proportion.".to_owned()),
        note: None,
        checks: vec![check(
            "depth 10 over depth 5",
            (Some(1.6), Some(2.4)),
            2.0,
            about(1.9, 0.04),
            ClaimVerdict::Holds,
        )],
        measured_in: None,
        series: vec![curve(
            "pthread-recursive\u{202e}</script>",
            "ns/op",
            |depth| 40.0 * depth,
        )],
        commands: vec![
            "locktoll bench --lock pthread-recursive --depth 1,5,10 --delay 0,1,5,10 --threads 4"
                .to_owned(),
        ],
        warnings: Vec::new(),
        figures_from: None,
        rounds: None,
        looks: None,
        two_modes: Vec::new(),
        placement: None,
        duration_ns: 8_000_000_000,
    }
}
