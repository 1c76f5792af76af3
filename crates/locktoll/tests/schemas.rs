//! What the program writes is valid by the schemas in `docs/schemas`.
#![cfg(target_os = "linux")]

#[expect(
    dead_code,
    reason = "shared with the tests of `record`, which use all of it"
)]
#[path = "record/bench.rs"]
mod bench;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bench::{Bench, text};
use serde_json::Value;

fn schema_file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    folder.join(format!("{name}-1.json"))
}

/// Fails unless the document is valid by the schema that it names.
fn valid(document: &Value, verb: &str) {
    let named = document["schema"].as_str().unwrap_or_default();
    assert_eq!(named, format!("locktoll.{verb}/1"));
    faultless(document, verb);
}

fn faultless(document: &Value, name: &str) {
    let schema = std::fs::read(schema_file(name)).unwrap();
    let schema: Value = serde_json::from_slice(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults = validator.iter_errors(document);
    let faults: Vec<String> = faults
        .map(|it| format!("{}: {it}", it.instance_path()))
        .collect();
    assert_eq!(faults, [""; 0], "{name}");
}

/// Runs the program and returns its document.
fn document(bench: &Bench, words: &[&str]) -> Value {
    let output = run(bench, words);
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{words:?}: {error}; {}", text(&output.stderr)))
}

fn run(bench: &Bench, words: &[&str]) -> Output {
    bench.locktoll().args(words).output().unwrap()
}

#[test]
fn results_of_measuring_and_comparing_are_valid() {
    let bench = Bench::new();
    let small = "bench --lock std,ticket --threads 1,2 --duration 5ms --repeat 2 -o";
    for name in ["a.json", "b.json"] {
        let words: Vec<&str> = small.split(' ').chain([name]).collect();
        let output = run(&bench, &words);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let saved = std::fs::read(bench.path(name)).unwrap();
        valid(&serde_json::from_slice(&saved).unwrap(), "bench");
    }
    valid(
        &document(&bench, &["compare", "a.json", "b.json", "--json"]),
        "compare",
    );
    valid(&document(&bench, &["doctor", "--json"]), "doctor");
    valid(&document(&bench, &["doctor", "report", "--json"]), "doctor");
}

#[test]
fn results_about_a_program_are_valid() {
    let bench = Bench::new();
    bench.c("known_locks", &[]);
    let words = "record --quiet --alert hold>50ms --alert-file alerts.jsonl -o out.locktoll -- ./known_locks";
    run(&bench, &words.split(' ').collect::<Vec<_>>());
    valid(
        &document(&bench, &["report", "out.locktoll", "--json"]),
        "profile",
    );
    // `slow_lock` is held for 200 ms.
    let alerts = std::fs::read_to_string(bench.path("alerts.jsonl")).unwrap();
    assert!(!alerts.is_empty());
    for line in alerts.lines() {
        faultless(&serde_json::from_str(line).unwrap(), "alert");
    }

    let trial = "try --lock ticket-yield --rounds 1 --json -- sleep 0.05";
    valid(
        &document(&bench, &trial.split(' ').collect::<Vec<_>>()),
        "try",
    );
    bench.c("contended_list", &[]);
    let whatif = "whatif --rounds 3 --slow lock=+20% --json -- ./contended_list 2 50000";
    valid(
        &document(&bench, &whatif.split(' ').collect::<Vec<_>>()),
        "whatif",
    );
}

#[test]
fn a_look_at_a_process_is_valid() {
    let bench = Bench::new();
    let mut sleeper = Command::new("sleep").arg("100").spawn().unwrap();
    let look = run(&bench, &["hang", &sleeper.id().to_string(), "--json"]);
    sleeper.kill().unwrap();
    sleeper.wait().unwrap();
    match look.status.code() {
        Some(3) => locktoll_needs::refused(&text(&look.stderr)),
        _ => valid(&serde_json::from_slice(&look.stdout).unwrap(), "hang"),
    }
}

/// Fails unless each line that the program prints is valid.
fn valid_lines(bench: &Bench, words: &str, verb: &str) {
    let output = run(bench, &words.split(' ').collect::<Vec<_>>());
    if output.status.code() == Some(3) {
        return locktoll_needs::refused(&text(&output.stderr));
    }
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    assert_eq!(lines.lines().count(), 2, "{lines}");
    for line in lines.lines() {
        valid(&serde_json::from_str(line).unwrap(), verb);
    }
}

#[test]
fn lines_about_intervals_are_valid() {
    let bench = Bench::new();
    let watch = "machine --watch --json --interval 200ms --count 2";
    valid_lines(&bench, watch, "watch");
    let own = std::process::id();
    valid_lines(
        &bench,
        &watch.replace("--watch", &format!("--watch={own}")),
        "watch",
    );
    let top = "top --json --interval 200ms --count 2";
    valid_lines(&bench, top, "top");
    valid_lines(&bench, &format!("{top} {own}"), "top");
}

#[test]
fn results_of_several_machines_are_valid() {
    let bench = Bench::new();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let one = here.join("../../tests/kept/reproduce.json");
    let other = here.join("tests/page/documents/reproduce.snap.json");
    let [one, other] = [&one, &other].map(|it| it.to_str().unwrap());
    let merged = document(&bench, &["reproduce", "--merge", one, other, "--json"]);
    valid(&merged, "reproduce-merged");
}

#[test]
fn what_is_checked_can_fail() {
    let document = serde_json::json!({"schema": "locktoll.doctor/1"});
    assert!(std::panic::catch_unwind(|| valid(&document, "doctor")).is_err());
}
