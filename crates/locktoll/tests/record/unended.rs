//! Waits that have not ended: the holders, in a program that runs and in one that has ended.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::Value;

use crate::bench::{Bench, function, lock, number, text};

/// Each of two threads waits for what the other holds.
fn is_the_deadlock(profile: &Value) {
    let waiter = |name: &str| {
        let lock = lock(profile, name);
        assert_eq!(
            (&lock["still_waiting"], &lock["contended"]),
            (&1.into(), &0.into())
        );
        // A hold that goes on has no length.
        assert!(lock["hold_ns"].is_null(), "{lock:#}");
        lock["still_waiting_threads"][0].clone()
    };
    let (left, right) = (waiter("left"), waiter("right"));
    for (waits, other, place, taken) in [
        (&left, &right, "right_then_left", "left_then_right"),
        (&right, &left, "left_then_right", "right_then_left"),
    ] {
        assert_eq!(function(&waits["frames"]), place);
        assert_eq!(waits["holder_thread"]["tid"], other["tid"], "{waits:#}");
        assert_eq!(function(&waits["holder"]), taken);
    }
}

#[test]
fn a_deadlock_names_its_holders_while_it_lasts_and_afterwards() {
    let bench = Bench::new();
    let program = bench.c("stuck", &[]);
    let mut command = bench.locktoll();
    command
        .args(["record", "--quiet", "-o", "out.locktoll", "--"])
        .arg(&program);
    let mut recorded = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    BufReader::new(recorded.stdout.take().unwrap())
        .read_line(&mut said)
        .unwrap();
    assert_eq!(said, "ready\n");

    // The file is not there yet: what there is so far is shown, up to now.
    let first = bench.profile("out.locktoll");
    is_the_deadlock(&first);
    let remark = first["warnings"][0].as_str().unwrap();
    assert!(remark.contains("the recording goes on"), "{remark}");
    let second = bench.profile("out.locktoll");
    let waited = |profile: &Value| number(lock(profile, "left"), "/still_waiting_ns");
    assert!(waited(&second) > waited(&first), "{first:#} {second:#}");

    // It ends when its input does.
    drop(recorded.stdin.take());
    assert!(recorded.wait().unwrap().success());
    let whole = bench.profile("out.locktoll");
    is_the_deadlock(&whole);
    assert_eq!(whole["warnings"].as_array().unwrap().len(), 0, "{whole:#}");
    let report = |words: &[&str]| {
        let out = bench
            .locktoll()
            .args(["report", "out.locktoll"])
            .args(words)
            .output()
            .unwrap();
        assert!(out.status.success(), "{}", text(&out.stderr));
        text(&out.stdout)
    };
    let page = report(&[]);
    assert!(page.contains("which took it at left_then_right"), "{page}");
    let folded = report(&["--format", "folded"]);
    assert!(folded.contains("right_then_left;left "), "{folded}");
}
