//! At most 1 % of the time of a program that computes is called spinning.

use std::path::Path;

use crate::bench::Bench;

/// The ways of `spins_not.c`.
const WAYS: [&str; 7] = [
    "search",
    "sums",
    "table",
    "chase",
    "matrix",
    "interpreter",
    "numbers",
];

/// The program computes for as long as it says, so the share needs no second try.
fn check(bench: &Bench, program: &Path, arguments: &[&str]) {
    let Some(found) = bench.recorded(program, arguments) else {
        return;
    };
    let share = found.found / found.cpu;
    assert!(
        share <= 0.01,
        "{arguments:?}: {share:.3} is called spinning"
    );
}

#[test]
fn loops_that_compute_do_not_spin() {
    let bench = Bench::new();
    for level in ["-O0", "-O2"] {
        let program = bench.built("spins_not.c", &[level]);
        for way in WAYS {
            check(&bench, &program, &[way]);
        }
    }
}

/// A parser of JSON, a database, a compressor and an interpreter, as many programs have them.
#[test]
fn libraries_that_compute_do_not_spin() {
    if !locktoll_needs::programs(&["python3"]) {
        return;
    }
    let bench = Bench::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/programs/spins_not.py");
    let script = script.to_str().unwrap();
    for way in ["json", "sqlite", "zlib", "interpreter"] {
        check(&bench, Path::new("/usr/bin/python3"), &[script, way]);
    }
}
