//! Orders of locks that can end in a deadlock: every planted one is found, and no other.

use std::path::Path;

use serde_json::Value;

use crate::bench::{Bench, text};

/// Records `program` in the case of this name; returns the order, and the exit code with `--fail-on order`.
fn order(bench: &Bench, program: &Path, case: &str) -> (Value, i32) {
    let mut command = bench.locktoll();
    command.args([
        "record",
        "--quiet",
        "-o",
        "out.locktoll",
        "--fail-on",
        "order",
        "--",
    ]);
    let output = command.arg(program).arg(case).output().unwrap();
    let order = bench.profile("out.locktoll")["order"].clone();
    let code = output.status.code().expect("no signal");
    assert!(code <= 1, "{case}: {}", text(&output.stderr));
    (order, code)
}

/// The cycles, each as its kind and the last part of its locks' ids, in any order.
fn cycles(order: &Value) -> Vec<(String, Vec<String>)> {
    let list = |value: &Value| value.as_array().unwrap().clone();
    let mut found: Vec<(String, Vec<String>)> = list(&order["cycles"])
        .iter()
        .map(|cycle| {
            let ids = list(&cycle["locks"]);
            let ids = ids.iter().map(|id| id.as_str().unwrap());
            let mut names: Vec<String> = ids
                .map(|id| id.rsplit(':').next().unwrap().to_owned())
                .collect();
            names.sort();
            (cycle["kind"].as_str().unwrap().to_owned(), names)
        })
        .collect();
    found.sort();
    found
}

#[test]
fn every_planted_order_is_found_in_c() {
    let bench = Bench::new();
    let program = bench.c("lock_order", &[]);
    for (case, kind, locks) in [
        ("inversion", "inversion", &["left", "right"][..]),
        ("three", "inversion", &["left", "right", "third"]),
        ("half_gate", "inversion", &["left", "right"]),
        ("one_of_several", "inversion", &["left", "right"]),
        ("accounts", "inversion", &["new_account", "new_account"]),
        (
            "against_the_index",
            "inversion",
            &["new_account", "new_account"],
        ),
        ("up_the_tree", "inversion", &["new_account", "new_account"]),
        ("reader_and_writer", "inversion", &["left", "readers_first"]),
        (
            "readers_behind_writers",
            "inversion",
            &["left", "writers_first"],
        ),
        (
            "read_twice_behind_writers",
            "reader_again",
            &["writers_first"],
        ),
        ("spin", "inversion", &["left", "spin"]),
        (
            "wait_while_holding_and_other",
            "inversion",
            &["left", "right"],
        ),
        ("deadlock", "inversion", &["left", "right"]),
    ] {
        let (order, code) = order(&bench, &program, case);
        let locks = locks.iter().map(|&it| it.to_owned()).collect();
        assert_eq!(cycles(&order), [(kind.to_owned(), locks)], "{case}");
        assert_eq!(code, 1, "{case}");
        let edges = order["edges"].as_array().unwrap();
        for edge in order["cycles"][0]["edges"].as_array().unwrap() {
            let edge = &edges[edge.as_u64().unwrap() as usize];
            for site in ["held_site", "acquired_site"] {
                let file = edge[site][0]["file"].as_str().unwrap_or_default();
                assert!(file.ends_with("lock_order.c"), "{case}: {edge:#}");
            }
            for stack in ["held_stack", "acquired_stack"] {
                assert!(
                    edge[stack].as_array().unwrap().len() > 1,
                    "{case}: {edge:#}"
                );
            }
        }
    }
}

#[test]
fn no_other_order_is_reported() {
    let bench = Bench::new();
    let program = bench.c("lock_order", &[]);
    for case in [
        "gate",
        "one_thread",
        "try",
        "accounts_in_order",
        "list",
        "by_index",
        "tree",
        "readers",
        "read_twice",
        "recursive",
        "wait",
        "wait_while_holding",
        "fork",
        "fork_and_exec",
        "thread_end",
    ] {
        let (order, code) = order(&bench, &program, case);
        assert_eq!(cycles(&order), [], "{case}");
        assert_eq!(code, 0, "{case}");
    }
}

#[test]
fn other_events_while_locks_are_held_are_listed() {
    let bench = Bench::new();
    let program = bench.c("lock_order", &[]);
    for (case, kind, lock) in [
        ("wait_while_holding", "waited_for_condition", "right"),
        ("fork", "forked", "left"),
        ("thread_end", "ended", "left"),
    ] {
        let (order, _) = order(&bench, &program, case);
        let unusual = order["unusual"].as_array().unwrap();
        let [event] = &unusual[..] else {
            panic!("{case}: {unusual:?}");
        };
        assert_eq!(event["kind"], kind);
        let held = event["held"][0].as_str().unwrap();
        assert!(held.ends_with(lock), "{case}: {held}");
    }
    for case in ["wait", "fork_and_exec", "inversion"] {
        let (order, _) = order(&bench, &program, case);
        assert_eq!(order["unusual"], Value::Array(Vec::new()), "{case}");
    }
}

#[test]
fn orders_in_cpp_are_found() {
    if !locktoll_needs::programs(&["c++"]) {
        return;
    }
    let bench = Bench::new();
    let program = bench.cpp("lock_order");
    let found = |case: &str| cycles(&order(&bench, &program, case).0).len();
    assert_eq!(
        ["inversion", "shared", "scoped", "recursive"].map(found),
        [1, 1, 0, 0]
    );
}

#[test]
fn orders_in_rust_are_found_for_the_locks_of_the_c_library() {
    let bench = Bench::new();
    let program = bench.rust("lock_order");
    assert_eq!(cycles(&order(&bench, &program, "inversion").0).len(), 1);
    let (std, _) = order(&bench, &program, "std");
    assert_eq!(cycles(&std), []);
    let report = bench
        .locktoll()
        .args(["report", "--order", "out.locktoll"])
        .output()
        .unwrap();
    let report = text(&report.stdout).replace('\n', " ");
    assert!(report.contains("Rust's standard library"), "{report}");
}

/// A thread keeps 1,024 contexts by their locks, and as many by the origins of the locks.
#[test]
fn what_is_kept_of_very_many_locks_is_bounded() {
    const MOST_OF_THREAD: usize = 2 * 1024;
    let bench = Bench::new();
    let program = bench.c("lock_order", &[]);
    let (order, code) = order(&bench, &program, "many");
    assert_eq!((cycles(&order), code), (Vec::new(), 0));
    let file = std::fs::File::open(bench.path("out.locktoll")).unwrap();
    let recording = locktoll_recording::reader::Recording::read(&file).unwrap();
    let kept: usize = recording.parts.iter().map(|it| it.orders.len()).sum();
    assert!((1_000..=2 * MOST_OF_THREAD).contains(&kept), "{kept}");
    // All acquisitions are counted, though most of their locks have no context of their own.
    let edges = order["edges"].as_array().unwrap().iter();
    let counted: u64 = edges.map(|it| it["count"].as_u64().unwrap()).sum();
    assert_eq!(counted, 40_000, "{order:#}");
}

#[test]
fn without_the_order_there_is_none() {
    let bench = Bench::new();
    let program = bench.c("lock_order", &[]);
    let mut command = bench.locktoll();
    command.args([
        "record",
        "--quiet",
        "--order",
        "off",
        "-o",
        "out.locktoll",
        "--",
    ]);
    assert!(
        command
            .arg(&program)
            .arg("inversion")
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(bench.profile("out.locktoll")["order"], Value::Null);
    let mut command = bench.locktoll();
    command.args(["record", "--order", "off", "--fail-on", "order", "--"]);
    let output = command.arg(&program).arg("inversion").output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn the_report_draws_the_cycle() {
    let bench = Bench::new();
    let program = bench.c("lock_order", &[]);
    order(&bench, &program, "three");
    let report = bench
        .locktoll()
        .args(["report", "--order", "out.locktoll"])
        .output()
        .unwrap();
    let report = text(&report.stdout);
    for part in [
        "acquired in different orders, each by one thread.",
        "  +-> ",
        "acquired in both (lock_order.c:",
        "waits for left in both (lock_order.c:",
        "  +---- back to ",
    ] {
        assert!(report.contains(part), "{part} is missing in\n{report}");
    }
    let summary = bench
        .locktoll()
        .args(["report", "out.locktoll"])
        .output()
        .unwrap();
    assert!(text(&summary.stdout).contains("1 order of locks can end in a deadlock"));
}
