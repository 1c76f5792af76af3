//! At most 1 % of the time of a program that computes is called spinning.

use std::path::Path;

use crate::bench::{Bench, examined};

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

/// With fewer samples, nothing could be found.
const FEWEST: u64 = 15;

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
    assert!(found.examined >= FEWEST, "{arguments:?}");
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

#[test]
fn a_compressor_does_not_spin() {
    if !locktoll_needs::programs(&["zstd"]) {
        return;
    }
    let bench = Bench::new();
    let data: Vec<u8> = (0..400_000_u32)
        .flat_map(|it| (it % 3001 * (it % 3001) % 9973).to_le_bytes())
        .collect();
    std::fs::write(bench.path("data"), data).unwrap();
    let arguments = ["-b3", "-i1", "data"];
    let Some((_, profile)) = bench.profile(Path::new("zstd"), &arguments) else {
        return;
    };
    let found = profile["spin_cpu_ns"]["n"].as_u64().unwrap();
    let examined = examined(&profile);
    assert!(
        examined >= FEWEST && found * 100 <= examined,
        "{found} of {examined}"
    );
}
