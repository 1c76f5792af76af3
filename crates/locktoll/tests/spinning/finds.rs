//! At least 95 % of the CPU time spent waiting is found, and not more than there was.

use crate::answers::{Answers, undisturbed};
use crate::bench::{Bench, Found};

/// The ways of `spins_known.c`.
const WAYS: [&str; 8] = [
    "plain", "pause", "yield", "exchange", "clock", "deadline", "back-off", "assembly",
];

/// Fewer samples cannot show a share of 5 %.
const FEW: u64 = 50;

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
        // A thread that yields gets little time while others want its CPU. So few samples have a wide interval, which must contain the truth.
        let (low, high) = found.bounds;
        let is_right = match found.samples < FEW {
            true => (low..=high).contains(&found.spun),
            false => (0.95..=1.05).contains(&share),
        };
        times.check(is_right, || {
            format!("{name} {flags:?} {way:?}: {share:.3} of the time is found")
        });
        times.check(found.samples == 0 || right(&found), || {
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
