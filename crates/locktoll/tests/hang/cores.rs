//! Core files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::bench::{Bench, text};
use crate::program::{Stuck, may_trace, numbers, program};

/// Has gdb write a core file of a ring of three threads.
fn core(bench: &Bench) -> Option<PathBuf> {
    if !may_trace() || !locktoll_needs::programs(&["gcore"]) {
        return None;
    }
    let stuck = Stuck::ring(bench, "mutex", 3);
    stuck.look_until(bench, "mutex", 3);
    let made = Command::new("gcore")
        .args([
            "-o",
            &bench.path("core").to_string_lossy(),
            &stuck.pid.to_string(),
        ])
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", text(&made.stderr));
    Some(bench.path(format!("core.{}", stuck.pid)))
}

fn look(bench: &Bench, core: &Path) -> Output {
    let mut command = bench.locktoll();
    command.args(["hang", "--json", "--core"]).arg(core);
    command.output().unwrap()
}

#[test]
fn a_core_file_shows_the_ring_with_names() {
    let bench = Bench::new();
    let Some(core) = core(&bench) else { return };
    let output = look(&bench, &core);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(numbers(&document["deadlocks"][0]["threads"]).len(), 3);
    assert!(document["looked"].is_null());
    let shown = text(&output.stdout);
    assert!(
        shown.contains("\"take_next\"") && shown.contains("mutexes+"),
        "{shown}"
    );
}

#[test]
fn what_is_missing_is_said_and_the_rest_is_shown() {
    let bench = Bench::new();
    let Some(core) = core(&bench) else { return };
    // The program's path in the core file leads to another program of the same length of path.
    let bytes = std::fs::read(&core).unwrap();
    let built = program(&bench);
    let path = built.to_string_lossy().into_owned();
    let gone = path.replace("/hung_ring", "/hung_rong");
    assert_eq!(path.len(), gone.len());
    let changed = replaced(&bytes, path.as_bytes(), gone.as_bytes());
    let other = bench.path("elsewhere.core");
    std::fs::write(&other, changed).unwrap();
    let output = look(&bench, &other);
    let document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", text(&output.stderr)));
    let notes = document["notes"].to_string();
    assert!(
        notes.contains("was not found: its functions and variables have no names"),
        "{notes}"
    );
    // The locks of glibc name their owners whatever the program.
    assert_eq!(
        numbers(&document["deadlocks"][0]["threads"]).len(),
        3,
        "{document:#}"
    );

    let half = bench.path("half.core");
    std::fs::write(&half, &bytes[..bytes.len() / 2]).unwrap();
    let output = look(&bench, &half);
    let said = text(&output.stdout) + &text(&output.stderr);
    assert!(said.contains("is truncated"), "{said}");
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    let mut at = 0;
    while at + from.len() <= changed.len() {
        if changed[at] == from[0] && changed[at..].starts_with(from) {
            changed[at..at + to.len()].copy_from_slice(to);
            at += to.len();
        } else {
            at += 1;
        }
    }
    changed
}

#[test]
fn another_file_is_not_a_core_file() {
    let bench = Bench::new();
    let built = program(&bench);
    let output = look(&bench, &built);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(
        said.contains("is not a core file; accepted: a core file of Linux"),
        "{said}"
    );
}
