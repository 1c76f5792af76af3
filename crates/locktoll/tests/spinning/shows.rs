//! One recorded program in all forms: text, JSON by its schema, folded stacks, flame graph, pprof and comparison.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::bench::Bench;

#[test]
fn every_form_shows_the_wait() {
    let bench = Bench::new();
    let program = bench.built("spins_known.c", &["-O1"]);
    let Some((_, profile)) = bench.profile(&program, &["plain"]) else {
        return;
    };
    has_the_fields_of_the_contract(&profile);

    let text = bench.printed(&["report", "out.locktoll"]);
    assert!(text.contains("\n  busy waiting "), "{text}");
    assert!(text.contains("wait_plain: waits for plain_word"), "{text}");
    let threads = bench.printed(&["report", "out.locktoll", "--threads"]);
    assert!(threads.contains("busy waiting"), "{threads}");

    let leaf = "busy waiting for plain_word";
    let folded = bench.printed(&["report", "out.locktoll", "--format", "folded"]);
    let stack = folded.lines().find(|line| line.contains(leaf));
    let stack = stack.unwrap_or_else(|| panic!("{folded}"));
    assert!(stack.contains("wait_plain;"), "{stack}");
    let (_, ns) = stack.rsplit_once(' ').unwrap();
    assert!(ns.parse::<u64>().unwrap() > 0, "{stack}");
    let picture = bench.printed(&["report", "out.locktoll", "--format", "svg"]);
    assert!(picture.contains(leaf), "{picture}");

    let same = ["compare", "out.locktoll", "out.locktoll", "--json"];
    let compared: Value = serde_json::from_str(&bench.printed(&same)).unwrap();
    assert!(compared.to_string().contains("spin_cpu_ns"), "{compared:#}");

    is_read_by_pprof(&bench);
}

fn has_the_fields_of_the_contract(profile: &Value) {
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas/profile-1.json");
    let schema: Value = serde_json::from_slice(&std::fs::read(schema).unwrap()).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> = validator
        .iter_errors(profile)
        .map(|it| it.to_string())
        .collect();
    assert_eq!(faults, [""; 0]);
    let row = &profile["spinning"][0];
    for path in [
        "/site/function",
        "/word/name",
        "/cpu_ns/median",
        "/cpu_ns/low",
        "/cpu_ns/high",
        "/threads",
        "/writers",
        "/writer_state",
        "/stack",
        "/known_as",
    ] {
        assert!(row.pointer(path).is_some(), "{path} of {row:#}");
    }
    // A write may be missed, but the names are these.
    if let Some(state) = row["writer_state"].as_object() {
        let mut names: Vec<&str> = state.keys().map(String::as_str).collect();
        names.sort_unstable();
        assert_eq!(names, ["asleep", "runnable", "running"]);
    }
}

fn is_read_by_pprof(bench: &Bench) {
    if !locktoll_needs::programs(&["go"]) {
        return;
    }
    bench.printed(&["report", "out.locktoll", "-o", "waits.pb.gz"]);
    let mut go = Command::new("go");
    go.args(["tool", "pprof", "-symbolize=none", "-sample_index=spinning"]);
    go.args(["-top", "waits.pb.gz"]);
    go.current_dir(bench.path(""))
        .env("PPROF_TMPDIR", bench.path("pprof"));
    let out = go.output().unwrap();
    let (found, errors) = (
        String::from_utf8_lossy(&out.stdout),
        String::from_utf8_lossy(&out.stderr),
    );
    if !out.status.success() && errors.contains("no such tool") {
        locktoll_needs::missing("pprof in this Go");
        return;
    }
    assert!(found.contains("wait_plain"), "{found}{errors}");
}
