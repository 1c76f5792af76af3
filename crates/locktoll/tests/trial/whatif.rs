//! `whatif` on programs whose bottleneck is known.
//!
//! Holds sleep in these programs, so other tests that keep the processors busy do not change what limits them.

use serde_json::Value;

use crate::bench::{Bench, text};

/// Runs `whatif` with `options` on `whatif_holds` with these words; gives its exit code, its document and what it said.
fn whatif(bench: &Bench, options: &[&str], words: &[&str]) -> (Option<i32>, Option<Value>, String) {
    let program = bench.c("whatif_holds", &[]);
    let mut command = bench.locktoll();
    command.args(["whatif", "--json"]).args(options).arg("--");
    let out = command.arg(program).args(words).output().unwrap();
    let document = serde_json::from_slice(&out.stdout).ok();
    (out.status.code(), document, text(&out.stderr))
}

fn lock<'a>(document: &'a Value, name: &str) -> &'a Value {
    let locks = document["locks"].as_array().unwrap();
    let found = locks.iter().find(|lock| lock["name"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {document:#}"))
}

#[test]
fn the_bottleneck_gains_and_the_longest_wait_is_a_decoy() {
    let bench = Bench::new();
    let options = [
        "--slow=decoy_lock=+100%,+200%",
        "--slow=work_lock=+100%,+200%",
        "--rounds=6",
    ];
    let (code, document, said) = whatif(&bench, &options, &["decoy", "2000", "25", "sleep"]);
    assert_eq!(code, Some(0), "{said}");
    let document = document.unwrap();
    assert_eq!(document["schema"], "locktoll.whatif/1");
    assert_eq!(document["rounds"], 6);
    let (decoy, work) = (lock(&document, "decoy_lock"), lock(&document, "work_lock"));
    assert_eq!(decoy["is_longest_wait"], true, "{decoy:#}");
    assert_eq!(work["verdict"], "gains", "{document:#}");
    assert!(work["gains"]["50"]["low"].as_f64().unwrap() > 1.0);
    // Twice and three times the holds of the bottleneck take far longer; those of the decoy do not.
    let slope = |lock: &Value, field: &str| lock["slope"][field].as_f64().unwrap();
    assert!(slope(work, "low") > slope(decoy, "median"), "{document:#}");
    // Two runs without an addition, and two lengths, for each lock.
    let experiments = document["experiments"].as_array().unwrap();
    let changes: Vec<&str> = experiments
        .iter()
        .map(|it| it["change"].as_str().unwrap())
        .collect();
    assert_eq!(changes, ["+0%", "+100%", "+200%", "+0%", "+100%", "+200%"]);

    // A saved result is shown again.
    let saved = bench.path("saved.json");
    std::fs::write(&saved, document.to_string()).unwrap();
    let out = bench.locktoll().arg("report").arg(&saved).output().unwrap();
    let shown = text(&out.stdout);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert!(
        shown.contains("work_lock") && shown.contains("gains"),
        "{shown}"
    );
}

#[test]
fn delays_of_other_threads_show_what_shorter_holds_would_gain() {
    let bench = Bench::new();
    let options = [
        "--fast=decoy_lock=-50%",
        "--fast=work_lock=-50%",
        "--slow=work_lock=+100%",
        "--rounds=6",
    ];
    let (code, document, said) = whatif(&bench, &options, &["decoy", "2000", "25", "sleep"]);
    assert_eq!(code, Some(0), "{said}");
    let document = document.unwrap();
    let (decoy, work) = (lock(&document, "decoy_lock"), lock(&document, "work_lock"));
    assert_eq!(work["by"], "fast", "{work:#}");
    assert_eq!(work["by_method"].as_array().unwrap().len(), 2);
    assert!(work["agree"].is_boolean() && decoy["agree"].is_null());
    // The bottleneck alone becomes faster, whatever else runs: half of its holds is saved, and nothing of the decoy's is.
    let gain = |lock: &Value| lock["gains"]["50"]["median"].as_f64().unwrap();
    assert_eq!(work["verdict"], "gains", "{document:#}");
    assert!(gain(work) > gain(decoy), "{document:#}");
    assert_ne!(decoy["verdict"], "gains", "{document:#}");
}

#[test]
fn wrong_input_is_refused_with_what_would_do() {
    let bench = Bench::new();
    let words = ["one", "100", "5", "sleep"];
    for (options, code, expected) in [
        (&["--slow=wrok_lock"][..], 2, "work_lock"),
        (&["--slow=work_lock=-20%"], 2, "accepted: LOCK=+P%"),
        (&["--fast=work_lock=+20%"], 2, "accepted: LOCK=-P%"),
        (&["--fast=work_lock=-95%"], 2, "P from 1 to 90"),
        (&["--fast=wrok_lock"], 2, "work_lock"),
        (&["--fast=work_lock", "--fast=work_lock=-5%"], 2, "twice"),
        (&["--rounds=0"], 2, "1 or more"),
        (
            &[
                "--rounds=6",
                "--slow=work_lock",
                "--metric=absent: ([0-9]+)",
            ],
            1,
            "absent",
        ),
    ] {
        let (found, document, said) = whatif(&bench, options, &words);
        assert_eq!(found, Some(code), "{options:?}: {said}");
        assert!(document.is_none(), "{options:?}");
        assert!(said.contains(expected), "{options:?}: {said}");
    }
    let out = bench
        .locktoll()
        .args(["whatif", "--", "true"])
        .output()
        .unwrap();
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("could change almost nothing"), "{said}");
}
