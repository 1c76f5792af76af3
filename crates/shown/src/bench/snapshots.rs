//! Snapshot tests of the text of a bench run, from fixed figures.

use insta::assert_snapshot;
use locktoll_lab::workload::Kind;

use crate::Shown;
use locktoll_made_up::mock;

/// Returns the text as it looks without colours.
fn plain(styled: &str) -> String {
    anstream::adapter::strip_str(styled).to_string()
}

#[test]
fn one_thread_and_many() {
    let locks = ["pthread", "std", "sysv-sem"];
    let result = mock::run(&mock::experiment(&locks, Kind::List, &[1, 8]), usize::MAX);
    assert_snapshot!(plain(&result.text()));
}

#[test]
fn what_was_cut_off_or_refused_stands_in_the_table_and_below() {
    let locks = ["pthread", "ticket", "flock"];
    let result = mock::run(&mock::experiment(&locks, Kind::List, &[64]), usize::MAX);
    assert_snapshot!(plain(&result.text()));
}

#[test]
fn every_knob_is_named_in_the_heading() {
    let mut experiment = mock::experiment(&["pthread"], Kind::Timemutex, &[4]);
    experiment.turn(|knobs| {
        knobs.depth = 5;
        knobs.nested = true;
        knobs.hold_ns = 1500;
        knobs.delay = 10;
        knobs.think_ns = 2_000_000;
        knobs.sleep_points = locktoll_lab::cell::SleepPoints::Both;
        knobs.active = Some(2);
        knobs.gate = Some(3);
        knobs.spin = Some(100);
        knobs.align = 56;
        knobs.nice = 10;
        knobs.hogs = 2;
        knobs.arrival = locktoll_lab::cell::Arrival::Open { per_second: 5e4 };
    });
    let result = mock::run(&experiment, usize::MAX);
    assert_snapshot!(plain(&result.text()));
}

#[test]
fn a_partial_result_says_so() {
    let locks = ["pthread", "std"];
    let result = mock::run(&mock::experiment(&locks, Kind::Counter, &[2]), 20);
    assert_snapshot!(plain(&result.text()));
}

#[test]
fn the_document_has_the_contract_s_fields() {
    let locks = ["pthread", "ticket"];
    let result = mock::run(&mock::experiment(&locks, Kind::List, &[4]), usize::MAX);
    let document = format!("{:#}\n", result.json().unwrap());
    assert!(document.starts_with("{\n  \"schema\": \"locktoll.bench/1\""));
    let value: serde_json::Value = serde_json::from_str(&document).unwrap();
    for field in ["steal", "other_load", "warnings"] {
        assert!(value["noise"].get(field).is_some(), "noise.{field}");
    }
    let cell = &value["cells"][0];
    for field in [
        "lock",
        "workload",
        "threads",
        "depth",
        "nested",
        "hold_ns",
        "think_ns",
        "delay",
        "sleep_points",
        "active",
        "spin",
        "operations",
        "wall_ns",
    ] {
        assert!(cell.get(field).is_some(), "cells[].{field}");
    }
    for field in [
        "ns_per_op",
        "ops_per_second",
        "user_ns_per_op",
        "system_ns_per_op",
        "voluntary_switches_per_op",
        "involuntary_switches_per_op",
    ] {
        for part in ["median", "low", "high", "n"] {
            assert!(cell[field][part].is_number(), "cells[].{field}.{part}");
        }
    }
    for field in ["p50", "p99", "p99_9"] {
        assert!(cell["acquire_ns"][field]["median"].is_number(), "{field}");
    }
    assert!(cell["acquire_ns"]["max"].is_number());
    assert!(cell["acquire_ns"]["log2"].is_array());
    for field in ["jain", "min_over_max", "dice"] {
        assert!(cell["fairness"][field]["median"].is_number(), "{field}");
    }
    assert!(cell["fairness"]["longest_run"].is_number());
}
