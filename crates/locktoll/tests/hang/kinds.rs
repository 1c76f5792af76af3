//! Each kind of wait, in programs that nobody records and in those that are.

use std::process::Command;

use serde_json::Value;

use crate::bench::Bench;
use crate::program::{Stuck, may_trace};

/// Modes of `hung_ring.c`, the kind for which all threads but the main one wait in each, and the variable that has the object.
const KINDS: [(&str, &str, &str); 5] = [
    ("chain", "mutex", "held"),
    ("rwlock", "rwlock", "rwlocks"),
    ("condition", "condvar", "ready"),
    ("barrier", "barrier", "one_more"),
    ("signal", "semaphore", "semaphores"),
];

const THREADS: usize = 3;

fn waiting<'a>(document: &'a Value, waits_for: &str) -> Vec<&'a Value> {
    let threads = document["threads"].as_array().unwrap().iter();
    threads.filter(|it| it["waits_for"] == waits_for).collect()
}

/// Checks each of these threads' object: its kind, its variable, and that all of them wait for it.
fn have_their_object(document: &Value, waits_for: &str, name: &str) {
    let locks = document["locks"].as_array().unwrap();
    for thread in waiting(document, waits_for) {
        let lock = locks.iter().find(|it| it["id"] == thread["lock"]);
        let lock = lock.unwrap_or_else(|| panic!("{document:#}"));
        assert_eq!(lock["kind"], waits_for, "{document:#}");
        assert!(lock["name"].as_str().unwrap().starts_with(name), "{lock:#}");
    }
}

#[test]
fn each_kind_of_object_is_seen_with_and_without_a_recorder() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    for (mode, waits_for, name) in KINDS {
        for stuck in [
            Stuck::ring(&bench, mode, THREADS),
            Stuck::recorded_ring(&bench, mode, THREADS),
        ] {
            let (_, document) = stuck.look_until(&bench, waits_for, THREADS);
            assert_eq!(waiting(&document, waits_for).len(), THREADS);
            have_their_object(&document, waits_for, name);
            // The main thread reads what the test might type.
            let others = waiting(&document, "system_call");
            let main = others.iter().find(|it| it["tid"] == stuck.pid);
            let call = &main.unwrap_or_else(|| panic!("{document:#}"))["call"];
            assert_eq!((&call["name"], &call["fd"]), (&"read".into(), &0.into()));
            assert!(call["file"].as_str().unwrap().starts_with("pipe:["));
        }
    }
}

#[test]
fn threads_that_wait_for_conditions_or_at_barriers_wait_for_no_thread() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    for (mode, waits_for) in [("condition", "condvar"), ("barrier", "barrier")] {
        let stuck = Stuck::ring(&bench, mode, THREADS);
        let (output, document) = stuck.look_until(&bench, waits_for, THREADS);
        assert_eq!(output.status.code(), Some(0), "{document:#}");
        for empty in ["edges", "deadlocks", "chains"] {
            assert_eq!(document[empty], Value::Array(Vec::new()), "{document:#}");
        }
        // A condition is where workers rest. A barrier means that a thread is missing.
        let is_idle = waits_for == "condvar";
        let threads = waiting(&document, waits_for);
        assert!(
            threads.iter().all(|it| it["is_idle"] == is_idle),
            "{document:#}"
        );
    }
}

#[test]
fn the_end_of_a_thread_and_a_futex_word_are_kinds_too() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let stuck = Stuck::ring(&bench, "join", THREADS);
    let (_, document) = stuck.look_until(&bench, "join", THREADS - 1);
    for thread in waiting(&document, "join") {
        assert!(
            thread["lock"].is_null() && thread["joins_tid"].is_u64(),
            "{thread:#}"
        );
    }
    let stuck = Stuck::start(&mut Command::new(bench.rust("stuck_std")));
    let (_, document) = stuck.look_until(&bench, "futex", 2);
    have_their_object(&document, "futex", "stuck_std::");
}
