//! Reports that cannot be written: the exit code is neither that of a deadlock nor that of none.

use std::fs::File;
use std::process::{Command, Output, Stdio};

use crate::bench::{Bench, text};
use crate::program::{Stuck, may_trace};

/// Runs `hang` with these words, its output into the device that is always full (full(4)).
fn into_full(bench: &Bench, words: &[&str]) -> Output {
    let full = File::options().write(true).open("/dev/full").unwrap();
    let mut command = bench.locktoll();
    command.arg("hang").args(words).stdout(Stdio::from(full));
    command.stderr(Stdio::piped()).output().unwrap()
}

#[test]
fn a_report_that_cannot_be_written_is_an_error_of_its_own() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    for (mode, waits_for, code) in [("mutex", "mutex", 1), ("timed", "mutex", 0)] {
        let stuck = Stuck::ring(&bench, mode, 2);
        let (output, _) = stuck.look_until(&bench, waits_for, 2);
        assert_eq!(output.status.code(), Some(code));
        let pid = stuck.pid.to_string();
        for words in [
            &[&pid[..]][..],
            &[&pid, "--json"],
            &[&pid, "-o", "/dev/full"],
            &[&pid, "--watch", "10s"],
        ] {
            let output = into_full(&bench, words);
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(4), "{words:?}: {said}");
            assert!(said.contains("No space left on device"), "{said}");
            assert_eq!(said.lines().count(), 1, "{said}");
        }
    }
}

/// Runs a line of the shell, in which `$0` is locktoll and `$1` the process.
fn in_shell(bench: &Bench, line: &str, pid: u32) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", line, env!("CARGO_BIN_EXE_locktoll")]);
    shell.arg(pid.to_string()).current_dir(bench.path("."));
    shell.output().unwrap()
}

#[test]
fn a_reader_who_leaves_does_not_change_the_answer() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    for (mode, code) in [("mutex", 1), ("timed", 0)] {
        let stuck = Stuck::ring(&bench, mode, 2);
        stuck.look_until(&bench, "mutex", 2);
        for line in [
            // A pipe that nobody reads any more, and no standard output at all.
            r#"{ sleep 0.2; "$0" hang "$1"; echo $? >&2; } | true"#,
            r#""$0" hang "$1" >&-; echo $? >&2"#,
        ] {
            let output = in_shell(&bench, line, stuck.pid);
            assert_eq!(text(&output.stderr).trim(), code.to_string(), "{line}");
        }
    }
}
