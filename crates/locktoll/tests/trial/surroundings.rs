//! The traces that `try` leaves, and its treatment of words that a shell would interpret.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;

use crate::bench::{Bench, text};
use crate::tried::{LOCK, running};

#[test]
fn temporary_files_are_where_nobody_else_can_reach_and_are_gone_afterwards() {
    let bench = Bench::new();
    let (shared, seen) = (bench.path("shared"), bench.path("seen"));
    fs::create_dir(&shared).unwrap();
    fs::set_permissions(&shared, PermissionsExt::from_mode(0o1777)).unwrap();
    let program = bench.c("many_locks", &[]);
    let script = format!(
        "stat -c '%a %u %F' \"$TMPDIR\"/.[!.]* >>{}; exec {} 1000",
        seen.display(),
        program.display()
    );
    let mut command = bench.locktoll();
    command.env("TMPDIR", &shared);
    let words = ["try", "--rounds", "1", "--lock", LOCK, "--", "sh", "-c"];
    let out = command.args(words).arg(script).output().unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    let seen = fs::read_to_string(seen).unwrap();
    // SAFETY: geteuid(2) has no preconditions.
    let ours = format!("700 {} directory", unsafe { libc::geteuid() });
    assert!(!seen.is_empty(), "the program saw the folder");
    assert!(seen.lines().all(|line| line == ours), "{seen}");
    assert_eq!(fs::read_dir(&shared).unwrap().count(), 0);
}

#[test]
fn a_load_reaches_the_shell_as_it_was_written() {
    let bench = Bench::new();
    let file = bench.path("it's a \"file\" $HOME");
    let quoted = file.to_str().unwrap().replace('\'', r"'\''");
    // Words that a second shell, or none, would make something else of.
    let load = format!("printf '%s|%s\\n' 'a  b' '$(touch owned)' >'{quoted}'; echo asked 7");
    let mut command = bench.locktoll();
    command.args(["try", "--rounds", "1", "--lock", LOCK, "--load", &load]);
    command.args([
        "--metric",
        r"asked (\d+)",
        "--ready",
        "^on the way; touch owned$",
    ]);
    let server = "echo 'on the way; touch owned'; exec sleep 60";
    let out = command.args(["--", "sh", "-c", server]).output().unwrap();
    let written = fs::read_to_string(&file);
    let written = written.unwrap_or_else(|error| panic!("{error}: {}", text(&out.stderr)));
    assert_eq!(written, "a  b|$(touch owned)\n");
    assert!(!bench.path("owned").exists());
}

#[test]
fn a_process_that_is_left_behind_is_ended_whatever_bytes_its_name_has() {
    let bench = Bench::new();
    let stray = bench.path(OsStr::from_bytes(b"stray\xff"));
    fs::copy("/bin/sleep", &stray).unwrap();
    let program = bench.c("many_locks", &[]);
    // In a session of its own, with outputs of its own.
    let script = format!(
        "setsid ./stray* 4242 >/dev/null 2>&1 & exec {} 1000",
        program.display()
    );
    let mut command = bench.locktoll();
    let words = ["try", "--rounds", "1", "--lock", LOCK, "--", "sh", "-c"];
    let out = command.args(words).arg(script).output().unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert_eq!(running("4242"), [""; 0]);
}

#[test]
fn what_ready_refuses_reaches_no_shell() {
    let bench = Bench::new();
    for ready in [
        "$(touch owned)(",
        "`touch owned`[",
        "1 2|(;touch owned",
        "99999",
    ] {
        let mut command = bench.locktoll();
        command.args(["try", "--rounds", "1", "--lock", LOCK, "--load", "true"]);
        command.args(["--ready", ready, "--", "sh", "-c", "exec sleep 60"]);
        let out = command.output().unwrap();
        assert_eq!(out.status.code(), Some(2), "{ready}: {}", text(&out.stderr));
        assert!(!bench.path("owned").exists(), "{ready}");
    }
}
