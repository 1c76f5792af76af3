//! The published claims about the kernel's spin locks are run, and judged, or not judged for a stated reason.

use std::process::Command;

use serde_json::Value;

use super::program::{LOCKTOLL, may_trace, text};

fn claims(words: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(LOCKTOLL)
        .args(["reproduce", "--json", "--state"])
        .arg(folder.path().join("state.json"))
        .args(words)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    document["claims"].as_array().unwrap().clone()
}

#[test]
fn a_build_is_watched_and_its_waits_are_drawn() {
    if !may_trace() {
        return;
    }
    let claims = claims(&["C1"]);
    let check = &claims[0]["checks"][0];
    let ratio = check["measured"]["median"].as_f64().unwrap();
    assert!(ratio > 0.0 && ratio < 1.0, "{check:#}");
    let drawn = claims[0]["series"].as_array().unwrap();
    assert_eq!(drawn.len(), 1, "{claims:#?}");
    let points = drawn[0]["points"].as_array().unwrap();
    let shares = points
        .iter()
        .map(|point| point["y"]["median"].as_f64().unwrap());
    assert!((0.1..=1.5).contains(&shares.sum::<f64>()), "{drawn:#?}");
}

#[test]
fn the_causes_of_switches_are_counted_in_the_kernel() {
    if !may_trace() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let claim = r#"
id = "D1"
title = "t"
claim = "Threads that yield do so."
seconds = 6
[source]
article = "a"
year = 2012
machine = "m"
[means]
holds = "Yes, they do."
does_not_hold = "No, they do not."
[[run]]
live = "--lock ttas --workload pair --sleep-points released --threads {2*cpus} --duration 400ms --repeat 6"
[[check]]
what = "yields"
figure = "switches_by_yield"
value = { when = "during" }
at_least = 0.5
[[check]]
what = "futexes"
figure = "switches_by_futex"
value = { when = "during" }
at_most = 0.5
"#;
    std::fs::write(folder.path().join("D1.toml"), claim).unwrap();
    let claims = claims(&["--experiments", folder.path().to_str().unwrap()]);
    let from = &claims[0]["figures_from"];
    assert!(
        from["source"] == "kernel" && from["refused"].is_null(),
        "{from}"
    );
    let share = |check: usize| {
        claims[0]["checks"][check]["measured"]["median"]
            .as_f64()
            .unwrap()
    };
    assert!(share(0) > 0.9 && share(1) < 0.1, "{:#}", claims[0]);
}
