//! Refusals, in one line with the alternative.

use std::process::Command;

use crate::bench::{Bench, LOCKTOLL, text};
use crate::program::Running;

fn refused(words: &[&str], code: i32, expected: &str) {
    let out = Command::new(LOCKTOLL)
        .arg("top")
        .args(words)
        .output()
        .unwrap();
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(code), "{words:?}: {said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{words:?}: {said}");
    assert!(said.contains(expected), "{words:?}: {said}");
    assert!(out.stdout.is_empty(), "{words:?}");
}

#[test]
fn what_is_no_terminal_gets_no_screen() {
    refused(&[], 2, "use --json");
    refused(&["1"], 2, "use --json");
}

#[test]
fn wrong_words_are_told_the_right_ones() {
    refused(&["--json", "x"], 2, "accepted: a number above 0, ");
    refused(&["--json", "-1"], 2, "accepted: a number above 0, ");
    refused(&["--json", "--interval", "1ms"], 2, "accepted: 10ms");
    refused(&["--json", "--count", "0"], 2, "1 or more");
}

#[test]
fn what_is_no_program_is_said_to_be_none() {
    // Larger than any id.
    refused(
        &["--json", "1073741824"],
        3,
        "no process has the id 1073741824",
    );
    let bench = Bench::new();
    let running = Running::recorded(&bench);
    let threads = std::fs::read_dir(format!("/proc/{}/task", running.pid)).unwrap();
    let mut threads = threads.map(|it| it.unwrap().file_name().into_string().unwrap());
    let thread = threads.find(|it| *it != running.pid.to_string()).unwrap();
    refused(
        &["--json", &thread],
        3,
        &format!("`locktoll top {}`", running.pid),
    );
    // The recorder itself is easily taken for the program.
    let recorder = running.started().to_string();
    refused(
        &["--json", &recorder],
        3,
        &format!("`locktoll top {}`", running.pid),
    );
}
