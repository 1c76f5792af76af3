//! Busy waiting of one program.

use std::process::Command;

use serde_json::Value;

use crate::bench::{Bench, LOCKTOLL, text};
use crate::program::{Running, is_privileged};

#[test]
fn busy_waiting_is_shown_with_its_word_and_its_writer() {
    if !is_privileged() {
        locktoll_needs::refused("no programs can be loaded into the kernel");
        return;
    }
    let bench = Bench::new();
    let running = Running::start(&mut Command::new(bench.c("spins_on", &["-g"])));
    let out = Command::new(LOCKTOLL)
        .args(["top", "--json", "--interval", "1s", "--count", "4"])
        .arg(running.pid.to_string())
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    let lines: Vec<Value> = text(&out.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let last = &lines[lines.len() - 1]["chosen"];
    let whole = &last["spin_whole"];
    if whole["spin_cpu_ns"].is_null() {
        locktoll_needs::refused("the kernel does not permit perf events");
        return;
    }
    let row = &whole["spinning"][0];
    assert_eq!(row["word"]["name"], "flag", "{row:#}");
    let writers = row["writers"].as_array().unwrap();
    assert!(
        writers.iter().any(|it| it["function"] == "set_flag"),
        "{row:#}"
    );
    assert_eq!(row["site"]["function"], "wait_for_flag");
    let ns = |value: &Value| value["spin_cpu_ns"]["median"].as_f64().unwrap();
    // The program does nothing else. A thread's account ends with the last whole tick of the scheduler.
    let window_ns = whole["spin_window_ns"].as_f64().unwrap();
    assert!(
        ns(whole) > 0.0 && ns(whole) <= window_ns * 1.05,
        "{whole:#}"
    );
    let samples = |value: &Value| value["spin_cpu_ns"]["n"].as_u64().unwrap();
    let in_intervals: u64 = lines.iter().map(|line| samples(&line["chosen"])).sum();
    // The first interval begins before the first line.
    assert!(in_intervals > 0 && in_intervals <= samples(whole));
}
