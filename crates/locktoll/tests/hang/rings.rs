//! Rings of threads, each of which holds what the one before it waits for.

use std::collections::BTreeSet;
use std::process::Command;

use crate::bench::{Bench, text};
use crate::program::{Stuck, may_trace, numbers};

/// Checks that the only deadlock has all `threads` threads, each of which waits for the next one. Of joins, there is one less.
fn is_a_ring(bench: &Bench, stuck: &Stuck, waits_for: &str, threads: usize) {
    let waiting = threads - usize::from(waits_for == "join");
    let (output, document) = stuck.look_until(bench, waits_for, waiting);
    assert_eq!(output.status.code(), Some(1), "{document:#}");
    let deadlocks = document["deadlocks"].as_array().unwrap();
    assert_eq!(deadlocks.len(), 1, "{document:#}");
    let ring = numbers(&deadlocks[0]["threads"]);
    assert_eq!(ring.iter().collect::<BTreeSet<_>>().len(), threads);
    let edges = document["edges"].as_array().unwrap();
    let locks = deadlocks[0]["locks"].as_array().unwrap();
    assert_eq!(locks.len(), if waits_for == "join" { 1 } else { threads });
    for (at, tid) in ring.iter().enumerate() {
        let next = ring[(at + 1) % ring.len()];
        let leads = |edge: &&serde_json::Value| edge["from_tid"] == *tid && edge["to_tid"] == next;
        assert!(edges.iter().any(|edge| leads(&edge)), "{tid} to {next}");
    }
}

#[test]
fn of_two_to_sixty_four_threads_each_waits_for_the_next() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    for threads in [1, 2, 3, 8, 64] {
        let stuck = Stuck::ring(&bench, "mutex", threads);
        is_a_ring(&bench, &stuck, "mutex", threads);
    }
}

#[test]
fn every_kind_of_lock_that_names_its_owner_closes_the_ring() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    for (mode, waits_for) in [("robust", "mutex"), ("rwlock", "rwlock")] {
        for threads in [2, 5, 64] {
            let stuck = Stuck::ring(&bench, mode, threads);
            is_a_ring(&bench, &stuck, waits_for, threads);
        }
    }
}

#[test]
fn a_circle_of_inheriting_mutexes_is_known_to_the_kernel() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let stuck = Stuck::ring(&bench, "inheriting", 3);
    let (output, document) = stuck.look_until(&bench, "mutex", 3);
    assert_eq!(output.status.code(), Some(1), "{document:#}");
    // The thread that came last, to which the others lead.
    let deadlock = &document["deadlocks"][0];
    let last = numbers(&deadlock["threads"]);
    assert_eq!(
        (last.len(), &deadlock["locks"]),
        (1, &serde_json::json!([]))
    );
    assert_eq!(document["chains"][0]["root_tid"], last[0]);
    assert_eq!(document["chains"][0]["waiting"], 2);
}

#[test]
fn a_standard_mutex_of_cpp_is_a_mutex() {
    if !may_trace() || !locktoll_needs::programs(&["g++"]) {
        return;
    }
    let bench = Bench::new();
    let program = bench.cpp("stuck_cpp");
    for threads in [2, 7, 64] {
        let stuck = Stuck::start(Command::new(&program).arg(threads.to_string()));
        is_a_ring(&bench, &stuck, "mutex", threads);
    }
}

#[test]
fn a_thread_that_waits_for_the_end_of_one_that_needs_its_lock_is_in_a_deadlock() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    for threads in [3, 64] {
        joins_are_a_ring(&bench, &Stuck::ring(&bench, "join", threads), threads);
    }
    let stuck = Stuck::ring(&bench, "join", 2);
    joins_are_a_ring(&bench, &stuck, 2);
    let mut command = bench.locktoll();
    let shown = command
        .args(["hang", &stuck.pid.to_string()])
        .output()
        .unwrap();
    let shown = text(&shown.stdout);
    assert!(shown.contains("waits for the end of thread"), "{shown}");
    assert!(shown.contains("mutex `held`"), "{shown}");
}

/// All but one of the threads wait for the end of the next one, and the last one for the first one's mutex.
fn joins_are_a_ring(bench: &Bench, stuck: &Stuck, threads: usize) {
    stuck.look_until(bench, "mutex", 1);
    is_a_ring(bench, stuck, "join", threads);
}

#[test]
fn a_ring_that_opens_at_a_deadline_is_not_a_deadlock() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let stuck = Stuck::ring(&bench, "timed", 3);
    let (output, document) = stuck.look_until(&bench, "mutex", 3);
    assert_eq!(output.status.code(), Some(0), "{document:#}");
    assert!(document["deadlocks"].as_array().unwrap().is_empty());
    let edges = document["edges"].as_array().unwrap();
    assert_eq!(edges.len(), 3);
    assert!(edges.iter().all(|it| it["has_deadline"] == true));
    // A wait with a deadline that was stopped once goes on as another system call.
    let (_, again) = stuck.look_until(&bench, "mutex", 3);
    assert_eq!(again["edges"], document["edges"]);
}

#[test]
fn a_chain_leads_to_the_thread_that_holds_up_the_others() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let stuck = Stuck::ring(&bench, "chain", 9);
    let (output, document) = stuck.look_until(&bench, "mutex", 9);
    assert_eq!(output.status.code(), Some(0), "{document:#}");
    let chain = &document["chains"][0];
    assert_eq!(
        (&chain["root_tid"], &chain["waiting"]),
        (&stuck.pid.into(), &9.into())
    );
    let root = document["threads"].as_array().unwrap();
    let root = root.iter().find(|it| it["tid"] == stuck.pid).unwrap();
    assert_eq!(root["waits_for"], "system_call");
    assert_eq!(root["call"]["name"], "read");
    assert!(root["call"]["file"].as_str().unwrap().starts_with("pipe:["));
    let lock = &document["locks"][0];
    assert_eq!(
        (&lock["name"], &lock["owner_tid"]),
        (&"held".into(), &stuck.pid.into())
    );
    // It waits for input, but others wait for it.
    assert_eq!(root["is_idle"], false);
}

#[test]
fn top_shows_the_deadlock_and_the_holders() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let stuck = Stuck::recorded_ring(&bench, "mutex", 2);
    stuck.look_until(&bench, "mutex", 2);
    let mut command = bench.locktoll();
    command.args(["top", "--json", "--count", "2", "--interval", "300ms"]);
    let output = command.arg(stuck.pid.to_string()).output().unwrap();
    let lines = text(&output.stdout);
    let last = lines
        .lines()
        .last()
        .unwrap_or_else(|| panic!("{}", text(&output.stderr)));
    let chosen = &serde_json::from_str::<serde_json::Value>(last).unwrap()["chosen"];
    let sentence = chosen["deadlock"].as_str().unwrap();
    assert!(
        sentence.starts_with("Deadlock: 2 threads wait for each other"),
        "{sentence}"
    );
    let held = chosen["held"].as_array().unwrap();
    assert_eq!(held.len(), 2, "{chosen:#}");
    assert!(
        held.iter()
            .all(|it| it["holder_tid"].is_u64() && it["same_holder_ns"].is_u64())
    );
    let place = held[0]["holder"].as_str().unwrap();
    assert!(place.contains("acquired at take_own"), "{place}");
}

#[test]
fn a_look_can_be_kept_and_shown_again() {
    if !may_trace() {
        return;
    }
    let bench = Bench::new();
    let stuck = Stuck::ring(&bench, "mutex", 2);
    stuck.look_until(&bench, "mutex", 2);
    let run = |words: &[&str]| bench.locktoll().args(words).output().unwrap();
    let pid = stuck.pid.to_string();
    assert_eq!(
        run(&["hang", &pid, "-o", "kept.json"]).status.code(),
        Some(1)
    );
    let again = run(&["report", "kept.json"]);
    assert_eq!(again.status.code(), Some(0));
    let again = text(&again.stdout);
    assert!(
        again.starts_with("Deadlock: 2 threads wait for each other in a cycle"),
        "{again}"
    );
    assert!(again.contains("take_next"), "{again}");
    assert!(
        run(&["report", "kept.json", "-o", "kept.html"])
            .status
            .success()
    );
}
