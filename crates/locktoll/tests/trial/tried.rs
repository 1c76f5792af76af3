//! Runs `try` and reads its output.

use std::process::Output;

use serde_json::Value;

use crate::bench::{Bench, text};

/// The other lock of these tests, beside the pass-through.
pub const LOCK: &str = "futex2:100";

/// Runs `try` with `options` on the pass-through and [`LOCK`], one round, as JSON.
pub fn output(bench: &Bench, options: &[&str], program: &[&str]) -> Output {
    let mut command = bench.locktoll();
    command
        .args(["try", "--json", "--rounds", "1", "--lock", LOCK])
        .args(options)
        .arg("--")
        .args(program);
    command.output().unwrap()
}

/// As [`output`]; the document, and what was said beside it. The exit code must be as expected.
pub fn document(bench: &Bench, options: &[&str], program: &[&str], code: i32) -> (Value, String) {
    let out = output(bench, options, program);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{said}");
    let document: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(document["schema"], "locktoll.try/1");
    (document, said)
}

/// The row of a lock.
pub fn row<'a>(document: &'a Value, lock: &str) -> &'a Value {
    let rows = document["results"].as_array().unwrap();
    rows.iter()
        .find(|row| row["lock"] == lock)
        .unwrap_or_else(|| panic!("no row {lock} in {document:#}"))
}

/// Processes that run under this name, by their own word for it.
pub fn running(name: &str) -> Vec<String> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines
        .map(|line| text(&line).replace('\0', " "))
        .filter(|line| line.split(' ').any(|word| word == name))
        .collect()
}
