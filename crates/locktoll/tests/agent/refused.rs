//! Refusals: one line with what was wrong and what is accepted.

use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use crate::bench::{Bench, LOCKTOLL, text};

fn refused(words: &[&str], code: i32, expected: &str) {
    let out = Command::new(LOCKTOLL)
        .arg("agent")
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
fn wrong_words_are_told_the_right_ones() {
    refused(&["--name", "a("], 2, "accepted: a regular expression");
    refused(
        &["--all", "--listen", "localhost"],
        2,
        "accepted: an IP address and a port, such as 127.0.0.1:9779",
    );
    refused(&["--pid", "x"], 2, "accepted: a number above 0");
    refused(&["--all", "--interval", "1ms"], 2, "accepted: 10ms");
    refused(&["--all", "--max-series", "0"], 2, "accepted: 1 to 100000");
    refused(&["--cgroup", "/no/such.slice"], 2, "/no/such.slice");
    refused(
        &["--pid", "1073741824"],
        3,
        "no process has the id 1073741824",
    );
}

#[test]
fn a_port_that_is_in_use_is_named() {
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap().to_string();
    refused(&["--all", "--listen", &address], 1, &address);
}

#[test]
fn a_file_that_others_could_replace_or_nobody_can_write_is_refused() {
    let bench = Bench::new();
    let file = bench.path("locktoll.prom");
    let file = file.to_str().unwrap();
    let open = std::fs::Permissions::from_mode(0o1777);
    std::fs::set_permissions(bench.path("."), open).unwrap();
    refused(
        &["--all", "--textfile", file],
        2,
        "all users may write to its folder",
    );
    let own = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(bench.path("."), own).unwrap();
    let missing = bench.path("missing/locktoll.prom");
    refused(
        &["--all", "--textfile", missing.to_str().unwrap()],
        2,
        "missing",
    );
    refused(
        &["--all", "--textfile", "/dev/null"],
        2,
        "not a regular file",
    );
}
