//! `advise` on programs whose right remedy is known.
//!
//! Holds sleep in these programs, so other tests that keep the processors busy do not change what limits them.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::bench::{Bench, text};

/// Runs `advise` with these words.
fn advise(bench: &Bench, words: &[&str]) -> Output {
    bench.locktoll().arg("advise").args(words).output().unwrap()
}

/// Records a case of `advice_cases`, and gives the recording's path.
fn recorded(bench: &Bench, case: &str) -> String {
    let program = bench.c("advice_cases", &[]);
    let file = bench.path(format!("{case}.locktoll"));
    let mut command = bench.locktoll();
    command.args(["record", "-q", "-o"]).arg(&file).arg("--");
    let out = command
        .arg(program)
        .args([case, "before"])
        .output()
        .unwrap();
    assert!(out.status.success(), "{}", text(&out.stderr));
    file.to_str().unwrap().to_owned()
}

fn remedies(document: &Value) -> Vec<&str> {
    let remedies = document["remedies"].as_array().unwrap();
    remedies
        .iter()
        .map(|it| it["kind"].as_str().unwrap())
        .collect()
}

#[test]
fn the_call_in_the_hold_is_named_with_its_time_and_its_gain() {
    let bench = Bench::new();
    let file = recorded(&bench, "move_call");
    let out = advise(&bench, &["--json", &file]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let document: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(document["schema"], "locktoll.advise/1");
    let first = &document["remedies"][0];
    assert_eq!(
        (first["kind"].as_str(), first["name"].as_str()),
        (Some("move_call"), Some("work_lock")),
        "{document:#}"
    );
    assert!(
        first["advice"].as_str().unwrap().contains("nanosleep"),
        "{first:#}"
    );
    assert_eq!(first["site"]["function"], "call_thread");
    assert_eq!(first["method"], "model");
    // Five threads in turn, which could all sleep at once.
    assert!(first["gain"]["low"].as_f64().unwrap() > 1.5, "{first:#}");
    assert!(
        first["command"]
            .as_str()
            .unwrap()
            .starts_with("locktoll whatif --slow")
    );
    for wrong in ["shard", "shorten_hold", "other_lock"] {
        assert!(!remedies(&document).contains(&wrong), "{document:#}");
    }

    // A saved result is shown again, and one lock can be asked for.
    let saved = bench.path("saved.json");
    std::fs::write(&saved, &out.stdout).unwrap();
    let shown = bench.locktoll().arg("report").arg(&saved).output().unwrap();
    let shown = text(&shown.stdout);
    assert!(
        shown.contains("1. Move nanosleep out of the hold of work_lock."),
        "{shown}"
    );
    let one = advise(&bench, &["--lock", "work_lock", &file]);
    assert!(text(&one.stdout).contains("work_lock"));

    // The same program with a name that is not there, and other wrong input.
    for (words, expected) in [
        (&["--lock", "wrok_lock", &file][..], "work_lock"),
        (
            &["--quote", &file, &file],
            "accepted: a result of `whatif` or `try`",
        ),
        (
            &[saved.to_str().unwrap()],
            "is a result of `advise`; advise needs a recording",
        ),
        (&["--measure", &file], "needs a program"),
        (&["missing.locktoll"], "missing.locktoll"),
    ] {
        let out = advise(&bench, words);
        let said = text(&out.stderr);
        assert_eq!(
            (out.status.code(), said.lines().count()),
            (Some(2), 1),
            "{words:?}: {said}"
        );
        assert!(said.contains(expected), "{words:?}: {said}");
        assert!(out.stdout.is_empty());
    }
}

#[test]
fn nothing_is_worth_your_time_where_hardly_any_thread_waits() {
    let bench = Bench::new();
    let program = bench.c("advice_cases", &[]);
    let out = advise(
        &bench,
        &["--", program.to_str().unwrap(), "move_call_rare", "before"],
    );
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(
        shown.starts_with("Nothing here is worth your time"),
        "{shown}"
    );
    // A program that ends at once shows nothing.
    let out = advise(&bench, &["--", "true"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("too short for advice"), "{said}");
}

#[test]
fn wrong_flags_are_refused_before_the_program_runs() {
    let bench = Bench::new();
    let trace = bench.path("trace");
    let touch = ["--", "touch", trace.to_str().unwrap()];
    for flags in [
        &["--threads-flag", "-t {}"][..],
        &["--metric", "["],
        &["--quote", "missing.json"],
        &["-o", "/missing/x.json"],
        &["--load", " "],
    ] {
        let words: Vec<&str> = flags.iter().chain(&touch).copied().collect();
        let out = advise(&bench, &words);
        assert_eq!(
            out.status.code(),
            Some(2),
            "{flags:?}: {}",
            text(&out.stderr)
        );
        assert!(
            !Path::new(&trace).exists(),
            "{flags:?}: the program has run"
        );
    }
}

#[test]
fn an_interrupted_sweep_shows_the_advice_so_far() {
    let bench = Bench::new();
    let program = bench.c("advice_cases", &[]);
    // The word after `before` is not the program's: its number of threads is in the environment.
    let mut command: Command = bench.locktoll();
    command.args([
        "advise",
        "--threads-flag",
        "THREADS={}",
        "--",
        "env",
        "THREADS=2",
    ]);
    command.arg(program).args(["move_call", "before"]);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut lines = lines.map_while(Result::ok);
    assert!(
        lines.any(|line| line.contains("running the program with 1,")
            || line.contains("running the program with 2"))
    );
    // SAFETY: kill(2) on a child that has not been waited for.
    unsafe { libc::kill(child.id().cast_signed(), libc::SIGINT) };
    let rest: Vec<String> = lines.collect();
    let out = child.wait_with_output().unwrap();
    let shown = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{rest:?}");
    assert!(
        shown.contains("1. Move nanosleep out of the hold of work_lock."),
        "{shown}"
    );
    assert!(shown.contains("interrupted, or out of time"), "{shown}");
}
