//! The timeline in other tools' formats, read by these tools' own code.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::bench::{Bench, text};

/// Waits and holds by the names of their slices: how many, and their length together in nanoseconds.
type Sums = BTreeMap<String, (u64, u64)>;

/// Records a program in which threads wait, and writes its timeline into a file. Returns the sums of the recording itself, and how many
/// waits have a known end.
fn record_to(bench: &Bench, file: &str) -> (Sums, u64) {
    let program = bench.c("other_locks", &[]);
    let mut command = bench.locktoll();
    command.args(["record", "--quiet", "--timeline", "--timeline-of"]);
    command.args(["everything", "-o", "out.locktoll", "--"]);
    let output = command.arg(&program).output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report = |options: &[&str]| {
        let mut command = bench.locktoll();
        let output = command.args(["report", "out.locktoll"]).args(options);
        let output = output.output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        output.stdout
    };
    report(&["-o", file]);
    let profile: Value = serde_json::from_slice(&report(&["--json"])).unwrap();
    let timeline = &profile["timeline"];
    let column = |table: &str, name: &str| -> Vec<u64> {
        let column = timeline[table][name].as_array().unwrap().iter();
        column.map(|it| it.as_u64().unwrap_or(u64::MAX)).collect()
    };
    let mut sums = Sums::new();
    for (table, word) in [("waits", "wait for"), ("holds", "hold")] {
        let [locks, begins, ends] = ["lock", "begin_ns", "end_ns"].map(|it| column(table, it));
        for (row, &lock) in locks.iter().enumerate() {
            let name = timeline["locks"][lock as usize]["name"].as_str().unwrap();
            let (number, sum) = sums.entry(format!("{word} {name}")).or_default();
            *number += 1;
            *sum += ends[row] - begins[row];
        }
    }
    assert!(sums.keys().any(|it| it.starts_with("wait for ")));
    let ended = column("waits", "released_by");
    let ended = ended.into_iter().filter(|&it| it != u64::MAX);
    (sums, ended.count() as u64)
}

#[test]
fn perfettos_own_messages_have_the_slices_and_flows_of_the_recording() {
    let python = |words: &[&str]| Command::new("python3").args(words).output();
    let import = "from perfetto.protos.perfetto.trace import perfetto_trace_pb2";
    let has_it = python(&["-c", import]).is_ok_and(|it| it.status.success());
    if !has_it {
        // No Debian package has it, so CI does not.
        locktoll_needs::refused("python3 has no package perfetto");
        return;
    }
    let bench = Bench::new();
    let (sums, flows) = record_to(&bench, "out.pftrace");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/record/perfetto_slices.py");
    let trace = bench.path("out.pftrace");
    let read = python(&[script.to_str().unwrap(), trace.to_str().unwrap()]).unwrap();
    assert!(read.status.success(), "{}", text(&read.stderr));
    let read: Value = serde_json::from_slice(&read.stdout).unwrap();
    let slices: Sums = serde_json::from_value(read["slices"].clone()).unwrap();
    assert_eq!(slices, sums);
    assert_eq!(read["flows"], flows);
}

/// Runs the Firefox Profiler's command, which consists of the loader and the queries of the page.
fn profiler(bench: &Bench, words: &[&str]) -> Output {
    let mut command = Command::new("profiler-cli");
    command
        .current_dir(bench.path(""))
        .env("PROFILER_CLI_SESSION_DIR", bench.path("sessions"))
        .env("PROFILER_CLI_NO_SYMBOLICATE", "1")
        .args(words);
    command.output().unwrap()
}

/// A session of the Firefox Profiler's command, which goes on until it is stopped.
struct Session<'b>(&'b Bench);

impl Drop for Session<'_> {
    fn drop(&mut self) {
        let _ = profiler(self.0, &["stop"]);
    }
}

#[test]
fn the_firefox_profilers_own_loader_has_the_markers_of_the_recording() {
    let is_there = Command::new("profiler-cli").arg("--version").output();
    if !is_there.is_ok_and(|it| it.status.success()) {
        // No Debian package has it, so CI does not.
        locktoll_needs::refused("no profiler-cli (npm: @firefox-devtools/profiler-cli)");
        return;
    }
    let bench = Bench::new();
    let (sums, _) = record_to(&bench, "out.json.gz");
    std::fs::create_dir(bench.path("sessions")).unwrap();
    let loaded = profiler(&bench, &["load", "out.json.gz"]);
    assert!(loaded.status.success(), "{}", text(&loaded.stderr));
    let session = Session(&bench);
    let ask = |words: &[&str]| -> Value {
        let answer = profiler(session.0, words);
        assert!(answer.status.success(), "{}", text(&answer.stderr));
        serde_json::from_slice(&answer.stdout).unwrap()
    };
    let threads = ask(&["thread", "list", "--json"]);
    let mut found = Sums::new();
    for thread in threads["threads"].as_array().unwrap() {
        let handle = thread["threadHandle"].as_str().unwrap();
        let markers = ask(&["thread", "markers", "--thread", handle, "--json"]);
        for kind in markers["byType"].as_array().unwrap() {
            let name = kind["markerName"].as_str().unwrap();
            if !name.starts_with("wait for ") && !name.starts_with("hold ") {
                continue;
            }
            let number = kind["count"].as_u64().unwrap();
            let mean_ms = kind["durationStats"]["avg"].as_f64().unwrap();
            let (numbers, sum) = found.entry(name.to_owned()).or_default();
            *numbers += number;
            *sum += (mean_ms * number as f64 * 1e6).round() as u64;
        }
    }
    let numbers = |sums: &Sums| -> Vec<(String, u64)> {
        let sums = sums.iter();
        sums.map(|(name, it)| (name.clone(), it.0)).collect()
    };
    assert_eq!(numbers(&found), numbers(&sums));
    for (name, (number, sum)) in &sums {
        // It keeps milliseconds as floating point.
        assert!(found[name].1.abs_diff(*sum) <= 2 * number, "{name}");
    }
}
