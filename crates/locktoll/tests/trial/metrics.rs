//! The metrics, and the program's input.

use std::fs::File;

use crate::bench::{Bench, text};
use crate::tried::{LOCK, document, output, row};

#[test]
fn a_number_in_the_output_is_compared() {
    let bench = Bench::new();
    let program = bench.c("tried", &[]);
    let program = [program.to_str().unwrap(), "count", "2", "1000"];
    for (pattern, expected) in [
        (r"^counted (\d+)$", 2000.0),
        // On standard error, since standard output has no match.
        (r"by (\d) threads", 2.0),
    ] {
        let options = ["--metric", pattern, "--better", "higher"];
        let (document, _) = document(&bench, &options, &program, 0);
        assert_eq!(document["metric"]["pattern"], pattern);
        assert_eq!(document["metric"]["better"], "higher");
        for lock in ["bare", "pass-through", LOCK] {
            assert_eq!(row(&document, lock)["metric"]["median"], expected);
        }
    }
}

#[test]
fn an_output_without_the_number_is_told_with_its_end() {
    let bench = Bench::new();
    let program = bench.c("tried", &[]);
    let program = [program.to_str().unwrap(), "count", "2", "1000"];
    for (pattern, expected) in [
        (r"found (\d+)", "counted 2000"),
        (r"(counted)", "'counted' is not a number"),
    ] {
        let out = output(&bench, &["--metric", pattern], &program);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(1), "{said}");
        assert!(out.stdout.is_empty());
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn every_run_reads_the_input_from_its_beginning() {
    let bench = Bench::new();
    let program = bench.c("tried", &[]);
    let input = bench.path("input");
    std::fs::write(&input, "x".repeat(1234)).unwrap();
    let out = bench
        .locktoll()
        .args(["try", "--json", "--rounds", "1", "--lock", LOCK])
        .args(["--metric", r"read (\d+)", "--"])
        .arg(program)
        .arg("input")
        .stdin(File::open(&input).unwrap())
        .output()
        .unwrap();
    let document: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    for lock in ["bare", "pass-through", LOCK] {
        let metric = &row(&document, lock)["metric"];
        assert_eq!(
            (&metric["low"], &metric["high"]),
            (&1234.0.into(), &1234.0.into())
        );
    }
}
