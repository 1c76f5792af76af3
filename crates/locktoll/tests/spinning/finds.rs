//! At least 95 % of the CPU time spent waiting is found, and not more than there was.

use crate::answers::{Answers, undisturbed};
use crate::bench::{Bench, Found};

/// The ways of `spins_known.c`.
const WAYS: [&str; 8] = [
    "plain", "pause", "yield", "exchange", "clock", "deadline", "back-off", "assembly",
];

/// With fewer samples, a difference of 5 % may be chance.
const FEW: u64 = 50;
/// The CPU time that this number of samples represents. If a thread used more than this and has fewer samples, the sampler has missed some.
const LITTLE_NS: f64 = FEW as f64 / 251.0 * 1e9;

/// Whether `record` found the waiting. A thread that yields gets little CPU time while other threads want its CPU. Its few samples give a
/// wide interval, which must contain the time that the program measured.
fn is_found(found: &Found) -> bool {
    let got_little = found.samples < FEW && found.cpu < LITTLE_NS;
    let (low, high) = found.bounds;
    let is_right = match got_little {
        true => (low..=high).contains(&found.spun),
        false => (0.95..=1.05).contains(&(found.found / found.spun)),
    };
    found.in_waits > 0 && is_right
}

/// Records a program until its figure agrees with its own account of itself.
fn check(bench: &Bench, name: &str, flags: &[&str], way: &[&str], right: impl Fn(&Found) -> bool) {
    // SAFETY: it has no preconditions.
    if way == ["yield"] && unsafe { libc::geteuid() } != 0 {
        // Such a loop spends its time in the kernel.
        locktoll_needs::refused("sampling of kernel code (CAP_PERFMON)");
        return;
    }
    let program = bench.built(name, flags);
    undisturbed(|times| {
        let Some(found) = bench.recorded(&program, way) else {
            return;
        };
        let share = found.found / found.spun;
        times.check(is_found(&found), || {
            let (of, in_waits) = (found.samples, found.in_waits);
            format!(
                "{name} {flags:?} {way:?}: {share:.3} of the time is found, by {in_waits} of {of} samples"
            )
        });
        times.check(right(&found), || {
            format!("{name} {flags:?} {way:?}: words {:?}", found.words)
        });
    });
}

/// The word is a variable or on the heap, as the source says.
fn named(way: &str, found: &Found) -> bool {
    let expected = if way == "plain" { "plain_word" } else { "heap" };
    found.words.iter().any(|it| it.contains(expected))
}

#[test]
fn a_detector_that_finds_nothing_fails() {
    let nothing = Found {
        spun: 1.1e9,
        cpu: 1.2e9,
        found: 0.0,
        bounds: (0.0, 1.2e9),
        samples: 300,
        in_waits: 0,
        examined: 300,
        words: Vec::new(),
    };
    assert!(!is_found(&nothing));
    let all = Found {
        found: 1.1e9,
        in_waits: 280,
        ..nothing
    };
    assert!(is_found(&all));
    // Nor does it pass because it takes few samples of a thread that spun for a second, or none of one that hardly ran.
    let (in_waits, samples) = (20, 20);
    let few = Found {
        found: 8e8,
        bounds: (7e8, 1.2e9),
        samples,
        in_waits,
        ..all
    };
    assert!(!is_found(&few));
    let little = Found {
        spun: 9e7,
        cpu: 1e8,
        found: 8e7,
        bounds: (6e7, 1e8),
        ..few
    };
    assert!(is_found(&little));
    let in_waits = 0;
    let none = Found { in_waits, ..little };
    assert!(!is_found(&none));
}

#[test]
fn waits_in_c_without_optimisation() {
    let bench = Bench::new();
    for way in WAYS {
        check(&bench, "spins_known.c", &["-O0"], &[way], |found| {
            named(way, found)
        });
    }
}

#[test]
fn waits_in_c_with_optimisation() {
    let bench = Bench::new();
    for way in WAYS {
        check(&bench, "spins_known.c", &["-O2"], &[way], |found| {
            named(way, found)
        });
    }
}

#[test]
fn waits_for_atomics_of_cpp() {
    if !locktoll_needs::programs(&["c++"]) {
        return;
    }
    let bench = Bench::new();
    for level in ["-O0", "-O2"] {
        check(&bench, "spins_known.cpp", &[level], &[], |found| {
            named("", found)
        });
    }
}

#[test]
fn waits_for_atomics_of_rust() {
    let bench = Bench::new();
    check(&bench, "spins_known.rs", &["-Copt-level=0"], &[], |_| true);
    check(&bench, "spins_known.rs", &["-Copt-level=3"], &[], |_| true);
}

/// The code of processes that have ended is read from their files.
#[test]
fn waits_of_processes_that_end_soon() {
    let bench = Bench::new();
    let program = bench.built("spins_briefly.c", &["-O1"]);
    undisturbed(|times| {
        let Some((printed, profile)) = bench.profile(&program, &[]) else {
            return;
        };
        let spun = Answers::of(&printed).number("spun_ns");
        let found = profile["spin_cpu_ns"]["median"].as_f64().unwrap();
        // Of some 150 samples, one in twelve more or less is chance; the processes also start, and are recorded.
        let share = found / spun;
        times.check((0.6..=1.4).contains(&share), || {
            format!("{share:.3} of the time is found")
        });
        let of = &profile["spin_samples"];
        let (all, unknown) = (of["samples"].as_u64(), of["unexamined"].as_u64());
        // Each process has its own copy of the code to be examined, for which there is a limit.
        times.check(unknown.unwrap() * 5 <= all.unwrap() * 2, || {
            format!("{of:#}")
        });
    });
}
