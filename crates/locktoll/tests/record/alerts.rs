//! The watchdog: alerts while a lock is held or waited for too long.

use std::path::Path;
use std::process::Output;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

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
        let waiting = &alert["waiting"][0];
        assert_eq!(waiting["tids"], serde_json::json!([alert["waiter"]["tid"]]));
        assert_eq!(waiting["site"]["function"], "append_to_journal");
        assert!(
            alert["ns"].as_f64().unwrap() >= 1e8,
            "not before it is too long"
        );
    }
    // The stacks are those of the moment, once the program's code has been read.
    for alert in &alerts {
        let calls = |thread: &str| functions(&alert[thread]["stack"]);
        if alert["holder"]["cut"].is_null() {
            assert!(calls("holder").contains(&"flush_journal"), "{alert:#}");
            assert!(calls("waiter").contains(&"append_to_journal"), "{alert:#}");
            assert_eq!(alert["holder"]["call"], "clock_nanosleep");
        }
    }
    let cut = alerts.iter().filter(|it| !it["holder"]["cut"].is_null());
    assert!(cut.count() < HOLDS, "{lines}");
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

fn functions(stack: &Value) -> Vec<&str> {
    let frames = stack.as_array().unwrap().iter();
    frames.filter_map(|it| it["function"].as_str()).collect()
}

/// The holder is the main thread, whose end locktoll waits for, and is stopped to read its calls.
#[test]
fn a_holder_that_computes_is_stopped_and_goes_on() {
    let bench = Bench::new();
    let program = bench.c("busy_holder", &[]);
    let mut command = bench.locktoll();
    command.args(["record", "--quiet", "-o", "out.locktoll"]);
    command.args(["--alert", "hold>100ms", "--alert-file", "alerts.json", "--"]);
    let output = command.arg(program).args(["400", "4"]).output().unwrap();
    assert_eq!(output.status.code(), Some(7), "{}", text(&output.stderr));
    let lines = std::fs::read_to_string(bench.path("alerts.json")).unwrap();
    let alerts: Vec<Value> = lines
        .lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    assert_eq!(alerts.len(), 4, "{lines}");
    let read = alerts.iter().filter(|it| it["holder"]["cut"].is_null());
    let mut seen = 0;
    for alert in read {
        let calls = functions(&alert["holder"]["stack"]);
        assert!(calls.contains(&"close_ledger"), "{alert:#}");
        assert_eq!(alert["holder"]["site"]["function"], "close_ledger");
        seen += 1;
    }
    assert!(seen > 0, "{lines}");
}

/// Reads the lines of a file as they come, each with the time of its arrival, until `is_over`. Also returns the longest time by which
/// this thread ran later than it had asked to: others may be as late.
fn arrivals(file: &Path, is_over: &AtomicBool) -> (Vec<(i64, Value)>, i64) {
    const NAP: Duration = Duration::from_millis(1);
    let (mut seen, mut late_ns) = (Vec::new(), 0);
    loop {
        let was_over = is_over.load(Relaxed);
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for line in whole.lines().skip(seen.len()) {
            seen.push((now_ns(), serde_json::from_str(line).unwrap()));
        }
        if was_over {
            return (seen, late_ns);
        }
        let asked = now_ns();
        std::thread::sleep(NAP);
        late_ns = late_ns.max(now_ns() - asked - NAP.as_nanos() as i64);
    }
}

fn now_ns() -> i64 {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a live value.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec * 1_000_000_000 + now.tv_nsec
}

/// The program says when each hold began, by the same clock. How long names take does not matter: an alert says when it was raised,
/// and the fastest of them shows the difference between the two clocks.
#[test]
fn an_alert_is_raised_within_one_and_a_half_intervals() {
    const LONGER_NS: i64 = 400_000_000;
    const INTERVAL_NS: i64 = LONGER_NS / 4;
    let bench = Bench::new();
    let program = bench.c("long_holds", &[]);
    let mut command = bench.locktoll();
    command.args(["record", "--quiet", "-o", "out.locktoll"]);
    command.args(["--alert", "hold>400ms", "--alert", "wait>400ms"]);
    command
        .args(["--alert-file", "alerts.json", "--"])
        .arg(program)
        .args(["600", "230", &HOLDS.to_string()]);
    let (file, is_over) = (bench.path("alerts.json"), AtomicBool::new(false));
    let (output, (seen, late_ns)) = std::thread::scope(|scope| {
        let reading = scope.spawn(|| arrivals(&file, &is_over));
        let output = command.output().unwrap();
        is_over.store(true, Relaxed);
        (output, reading.join().unwrap())
    });
    let begun = begun_ns(&output);
    // Two threads look, and one reads the file; each may be late. So may the program between acquiring and saying so.
    let late = 4 * late_ns;
    let most = INTERVAL_NS * 3 / 2 + late;
    let (waits, seen): (Vec<_>, Vec<_>) = seen.into_iter().partition(|it| it.1["kind"] == "wait");
    assert_eq!(
        (begun.len(), seen.len(), waits.len()),
        (HOLDS, HOLDS, HOLDS)
    );
    // A wait says how long it has lasted, from its beginning.
    for (_, alert) in &waits {
        let after = alert["ns"].as_i64().unwrap() - LONGER_NS;
        assert!(
            (0..=most).contains(&after),
            "{after} ns, at most {most}: {alert}"
        );
    }
    let at = |alert: &Value| alert["at_ns"].as_i64().unwrap();
    let start = seen.iter().map(|(arrived, it)| arrived - at(it)).min();
    for ((_, alert), begun) in seen.iter().zip(begun) {
        let raised = at(alert) + start.unwrap();
        let after = raised - begun as i64 - LONGER_NS;
        assert!(
            (-late..=most).contains(&after),
            "{after} ns, at most {most}: {alert}"
        );
    }
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
