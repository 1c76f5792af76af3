//! The profiles in `go tool pprof`.

use std::process::Command;

use crate::bench::text;
use crate::recorded::Recorded;

/// Runs `go tool pprof`; `None`, and the test is skipped, where there is no Go.
fn pprof(recorded: &Recorded, arguments: &[&str]) -> Option<String> {
    if !locktoll_needs::programs(&["go"]) {
        return None;
    }
    let mut go = Command::new("go");
    // No browser, no configuration of the user's, no look for symbols elsewhere.
    go.args(["tool", "pprof", "-symbolize=none"])
        .args(arguments);
    go.current_dir(recorded.bench.path(""))
        .env("PPROF_TMPDIR", recorded.bench.path("pprof"));
    let out = go.output().unwrap();
    let said = text(&out.stderr);
    if !out.status.success() && said.contains("no such tool") {
        locktoll_needs::missing("pprof in this Go");
        return None;
    }
    assert!(out.status.success(), "{arguments:?}: {said}");
    Some(text(&out.stdout))
}

/// Milliseconds in front of the row of `-top` about this function: flat time, in `-unit=ms`.
fn flat_ms(top: &str, function: &str) -> Option<f64> {
    let row = top
        .lines()
        .find(|line| line.split_whitespace().nth(5) == Some(function))?;
    row.split_whitespace()
        .next()?
        .strip_suffix("ms")?
        .parse()
        .ok()
}

#[test]
fn go_tool_pprof_reads_both_as_mutex_profiles() {
    let recorded = Recorded::known_locks();
    recorded.printed(&["-o", "locks.pb.gz"]);
    let Some(top) = pprof(&recorded, &["-top", "-unit=ms", "locks.pb.gz"]) else {
        return;
    };
    assert!(top.contains("Type: delay"), "{top}");
    let waited_ms = recorded.waited_ns("slow_lock") as f64 / 1e6;
    let flat = flat_ms(&top, "wait_for_slow").unwrap_or_else(|| panic!("{top}"));
    assert!(
        (flat - waited_ms).abs() <= 0.01 * waited_ms,
        "{flat} ms is not {waited_ms} ms: {top}"
    );

    let raw = pprof(&recorded, &["-raw", "locks.pb.gz"]).unwrap();
    assert!(raw.contains("contentions/count delay/nanoseconds"), "{raw}");
    assert!(
        raw.contains("lock:[slow_lock]") && raw.contains("kind:[mutex]"),
        "{raw}"
    );
    assert!(raw.contains("known_locks.c"), "{raw}");

    let focus = [
        "-top",
        "-unit=ms",
        "-tagfocus=lock=slow_lock",
        "locks.pb.gz",
    ];
    let focused = pprof(&recorded, &focus).unwrap();
    assert!(flat_ms(&focused, "wait_for_slow").is_some(), "{focused}");
    assert!(flat_ms(&focused, "hot_path").is_none(), "{focused}");

    let count = ["-top", "-sample_index=contentions", "locks.pb.gz"];
    let counted = pprof(&recorded, &count).unwrap();
    assert!(counted.contains("Type: contentions"), "{counted}");

    let holders = pprof(&recorded, &["-top", "-unit=ms", "locks.holders.pb.gz"]).unwrap();
    let blamed = flat_ms(&holders, "hold_slowly").unwrap_or_else(|| panic!("{holders}"));
    assert!((blamed - waited_ms).abs() <= 0.01 * waited_ms, "{holders}");
    let total = recorded.profile["wait_ns"].as_u64().unwrap() as f64 / 1e6;
    let said = holders
        .split_once("ms total")
        .and_then(|(before, _)| before.rsplit_once("of "));
    let said: f64 = said
        .unwrap_or_else(|| panic!("{holders}"))
        .1
        .parse()
        .unwrap();
    assert!(
        (said - total).abs() <= 0.01 * total,
        "{said} ms is not {total} ms: {holders}"
    );
}
