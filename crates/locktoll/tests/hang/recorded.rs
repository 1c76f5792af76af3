//! Locks that do not name their holder: under `record`, the recording does.

use std::process::Command;

use crate::bench::{Bench, text};
use crate::program::{Stuck, look, may_trace, numbers};

#[test]
fn semaphores_as_locks_and_readers_close_the_ring_under_a_recorder() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    for (mode, waits_for) in [("semaphore", "semaphore"), ("reader", "rwlock")] {
        for threads in [2, 6, 64] {
            let stuck = Stuck::recorded_ring(&bench, mode, threads);
            let (output, document) = stuck.look_until(&bench, waits_for, threads);
            assert_eq!(output.status.code(), Some(1), "{mode}: {document:#}");
            let ring = numbers(&document["deadlocks"][0]["threads"]);
            assert_eq!(ring.len(), threads, "{mode}: {document:#}");
            for lock in document["locks"].as_array().unwrap() {
                assert_eq!(lock["owner_known_by"], "recording", "{lock:#}");
                assert_eq!(lock["owner_site"]["function"], "take_own", "{lock:#}");
            }
            let waiting = document["threads"].as_array().unwrap().iter();
            let mut waiting = waiting.filter(|it| it["waits_for"] == waits_for);
            assert!(waiting.all(|it| it["since_ns"].is_u64()), "{document:#}");
        }
    }
}

#[test]
fn without_a_recorder_they_have_no_known_holder() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let stuck = Stuck::ring(&bench, "semaphore", 2);
    let (output, document) = stuck.look_until(&bench, "semaphore", 2);
    assert_eq!(output.status.code(), Some(0));
    let note = document["locks"][0]["note"].as_str().unwrap();
    assert!(
        note.starts_with("the holder cannot be known: a semaphore"),
        "{note}"
    );
    let stuck = Stuck::ring(&bench, "reader", 2);
    let (output, document) = stuck.look_until(&bench, "rwlock", 2);
    assert_eq!(output.status.code(), Some(0));
    let note = document["locks"][0]["note"].as_str().unwrap();
    assert!(note.starts_with("held by 1 reader"), "{note}");
}

#[test]
fn semaphores_by_which_threads_notify_each_other_have_no_holder() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let stuck = Stuck::recorded_ring(&bench, "signal", 3);
    let (output, document) = stuck.look_until(&bench, "semaphore", 3);
    assert_eq!(output.status.code(), Some(0), "{document:#}");
    assert!(
        document["edges"].as_array().unwrap().is_empty(),
        "{document:#}"
    );
}

#[test]
fn rusts_mutex_has_no_owner_unless_it_is_recorded() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let program = bench.rust("stuck_std");
    let stuck = Stuck::start(&mut Command::new(&program));
    let (output, document) = stuck.look_until(&bench, "futex", 2);
    assert_eq!(output.status.code(), Some(0));
    let mut command = bench.locktoll();
    let shown = command
        .args(["hang", &stuck.pid.to_string()])
        .output()
        .unwrap();
    let shown = text(&shown.stdout).replace('\n', " ");
    assert!(
        shown.contains("the holder cannot be known: Rust's futex mutex has no owner"),
        "{shown} {document:#}"
    );
}

#[test]
fn a_recorded_mutex_has_the_place_of_its_acquisition() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let stuck = Stuck::recorded_ring(&bench, "mutex", 2);
    stuck.look_until(&bench, "mutex", 2);
    let output = look(&bench, stuck.pid);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let lock = &document["locks"][0];
    assert_eq!(lock["owner_known_by"], "lock");
    assert_eq!(lock["owner_site"]["function"], "take_own", "{lock:#}");
}
