//! The watchdog: alerts while a lock is held or waited for too long.

use std::process::Output;

use serde_json::Value;

use crate::bench::{Bench, text};

const HOLDS: usize = 5;

/// Records holds of 400 ms with these options.
fn record(bench: &Bench, options: &[&str]) -> Output {
    let program = bench.c("long_holds", &[]);
    let mut command = bench.locktoll();
    command
        .args(["record", "--quiet", "-o", "out.locktoll"])
        .args(options);
    command
        .arg("--")
        .arg(&program)
        .args(["400", "100", &HOLDS.to_string()]);
    command.output().unwrap()
}

/// When each hold began, as the program printed it.
fn begun_ns(output: &Output) -> Vec<f64> {
    let lines = text(&output.stdout);
    lines.lines().filter_map(|line| line.parse().ok()).collect()
}

#[test]
fn each_long_hold_is_reported_while_it_lasts_with_its_place_and_its_waiter() {
    let bench = Bench::new();
    let output = record(
        &bench,
        &["--alert", "hold>100ms", "--alert-file", "alerts.json"],
    );
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(begun_ns(&output).len(), HOLDS);
    let lines = std::fs::read_to_string(bench.path("alerts.json")).unwrap();
    let alerts: Vec<Value> = lines
        .lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    assert_eq!(alerts.len(), HOLDS, "{lines}");
    for alert in &alerts {
        assert_eq!(
            (&alert["kind"], &alert["name"]),
            (&"hold".into(), &"journal".into())
        );
        assert!(alert["lock"].as_str().unwrap().ends_with(":journal"));
        assert_eq!(alert["holder"]["site"]["function"], "flush_journal");
        assert_eq!(alert["waiter"]["site"]["function"], "append_to_journal");
        assert_eq!(alert["waiters"], 1);
        assert!(
            alert["ns"].as_f64().unwrap() >= 1e8,
            "not before it is too long"
        );
    }
    // The recording has the same.
    assert_eq!(
        bench.profile("out.locktoll")["alerts"],
        Value::Array(alerts)
    );
    let report = bench
        .locktoll()
        .args(["report", "--alerts", "out.locktoll"])
        .output()
        .unwrap();
    assert!(
        text(&report.stdout).starts_with("5 alerts"),
        "{}",
        text(&report.stdout)
    );
}

#[test]
fn a_wait_is_reported_on_standard_error() {
    let bench = Bench::new();
    let output = record(&bench, &["--alert", "wait>100ms"]);
    let said = text(&output.stderr);
    let alerts = said
        .lines()
        .filter(|it| it.contains("alert: a thread has waited for journal for "));
    let alerts: Vec<&str> = alerts.collect();
    assert_eq!(alerts.len(), HOLDS, "{said}");
    for alert in alerts {
        assert!(
            alert.contains("in append_to_journal (long_holds.c:"),
            "{alert}"
        );
        assert!(
            alert.contains("which acquired it in flush_journal (long_holds.c:"),
            "{alert}"
        );
    }
}

#[test]
fn what_is_short_is_not_reported() {
    let bench = Bench::new();
    let output = record(&bench, &["--alert", "hold>1000s", "--alert", "wait>1000s"]);
    assert_eq!(text(&output.stderr), "");
    assert_eq!(bench.profile("out.locktoll")["alerts"], Value::Null);
    let report = bench
        .locktoll()
        .args(["report", "--alerts", "out.locktoll"])
        .output()
        .unwrap();
    assert!(text(&report.stdout).starts_with("No alert was raised."));
}

#[test]
fn nothing_starts_before_conditions_and_file_are_checked() {
    let bench = Bench::new();
    for (options, expected) in [
        (&["--alert", "hold>5"][..], "'5' has no unit"),
        (&["--alert", "sleep>5s"], "'sleep' is not known"),
        (&["--alert", "hold>0ms"], "a time of zero"),
        (
            &["--alert", "hold>5s", "--alert-file", "no/such/folder"],
            "cannot be written",
        ),
        (&["--alert-file", "alerts.json"], "--alert"),
    ] {
        let mut command = bench.locktoll();
        let output = command
            .arg("record")
            .args(options)
            .args(["--", "touch", "started"])
            .output();
        let output = output.unwrap();
        assert_eq!(output.status.code(), Some(2), "{options:?}");
        let said = text(&output.stderr);
        assert!(said.contains(expected), "{options:?}: {said}");
        assert!(!bench.path("started").exists(), "{options:?}");
    }
}
