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

#[test]
fn what_cannot_be_pushed_is_refused_before_anything_starts() {
    let bench = Bench::new();
    let queue = bench.path("queue");
    let queue = queue.to_str().unwrap();
    let push = |more: &[&str], expected: &str| {
        let words = [&["--all", "--push-queue", queue][..], more].concat();
        refused(&words, 2, expected);
    };
    push(&[], "--push-queue has no effect without a server");
    push(
        &["--push-pyroscope", "127.0.0.1:4040"],
        "accepted: an address such as http://127.0.0.1:4040",
    );
    push(
        &["--push-otlp", "http://me:pw@127.0.0.1"],
        "use --push-token-file",
    );
    push(
        &["--push-otlp-grpc", "127.0.0.1:4317"],
        "accepted: an address such as http://127.0.0.1:4317",
    );
    push(
        &["--push-otlp-grpc", "http://127.0.0.1:4317/v1"],
        "has a path, which gRPC does not use",
    );
    let server = ["--push-otlp", "http://127.0.0.1:1"];
    let empty = bench.path("empty.pem");
    std::fs::write(&empty, "").unwrap();
    refused(&[&["--all"], &server[..]].concat(), 2, "--push-queue");
    push(
        &[&server[..], &["--push-every", "1"]].concat(),
        "accepted: 10ms",
    );
    push(
        &[&server[..], &["--push-queue-size", "1"]].concat(),
        "from 64 KiB to 64 GiB",
    );
    push(
        &[&server[..], &["--push-ca", empty.to_str().unwrap()]].concat(),
        "the file contains no certificate",
    );
    let token = bench.path("token");
    std::fs::write(&token, "s3cret").unwrap();
    std::fs::set_permissions(&token, std::fs::Permissions::from_mode(0o644)).unwrap();
    let with_token = [&server[..], &["--push-token-file", token.to_str().unwrap()]].concat();
    push(&with_token, "other users can read or change the token");
    std::fs::create_dir_all(queue).unwrap();
    std::fs::set_permissions(queue, std::fs::Permissions::from_mode(0o777)).unwrap();
    push(&server, "other users may write to it");
}
