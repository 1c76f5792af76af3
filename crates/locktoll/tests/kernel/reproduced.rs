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
    let claims = claims(&["C1", "C3"]);
    let check = &claims[0]["checks"][0];
    let ratio = check["measured"]["median"].as_f64().unwrap();
    assert!(ratio > 0.0 && ratio < 1.0, "{check:#}");
    // Two runs: a build alone, and beside busy loops.
    for (claim, series) in [(&claims[0], 1), (&claims[1], 2)] {
        let drawn = claim["series"].as_array().unwrap();
        assert_eq!(drawn.len(), series, "{claim:#}");
        for one in drawn {
            let points = one["points"].as_array().unwrap();
            let shares = points
                .iter()
                .map(|point| point["y"]["median"].as_f64().unwrap());
            assert!((0.1..=1.5).contains(&shares.sum::<f64>()), "{one:#}");
        }
    }
    // Whatever the host does, it is said.
    let because = claims[1]["because"].as_str().unwrap();
    assert!(
        because.contains("host") || because.contains("2^20"),
        "{because}"
    );
}
