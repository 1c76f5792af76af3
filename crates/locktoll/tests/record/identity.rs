//! The identity of locks, and their names.

use serde_json::Value;

use crate::bench::{Bench, function, lock, number, sites, text};

fn rows(profile: &Value, holds: impl Fn(&Value) -> bool) -> Vec<&Value> {
    let locks = profile["locks"].as_array().unwrap().iter();
    locks.filter(|lock| holds(lock)).collect()
}

/// Whether `function` is somewhere in the stack of calls that made the lock.
fn born_in(lock: &Value, function: &str) -> bool {
    let frames = lock["birth"].as_array().unwrap();
    let mut names = frames.iter().filter_map(|frame| frame["function"].as_str());
    names.any(|name| name.contains(function))
}

fn counts(lock: &Value) -> (f64, f64) {
    (number(lock, "/instances"), number(lock, "/acquisitions"))
}

#[test]
fn locks_at_one_address_one_after_another_are_several_and_one_row() {
    if !locktoll_needs::programs(&["c++"]) {
        return;
    }
    let bench = Bench::new();
    let program = bench.cpp("identity");
    let (_, profile) = bench.answers(&[], &[&program]);

    assert_eq!(counts(lock(&profile, "again")), (5.0, 60.0));

    let held = rows(&profile, |lock| born_in(lock, "reallocate"));
    assert_eq!(held.len(), 1, "{held:#?}");
    assert_eq!(counts(held[0]), (1000.0, 3000.0));
}

#[test]
fn arrays_and_makers_have_rows_of_their_own() {
    if !locktoll_needs::programs(&["c++"]) {
        return;
    }
    let bench = Bench::new();
    let program = bench.cpp("identity");
    let (_, profile) = bench.answers(&[], &[&program]);

    assert_eq!(counts(lock(&profile, "slots[]")), (100.0, 200.0));
    for (name, acquisitions) in [
        ("few_slots", 1.0),
        ("few_slots+0x28", 2.0),
        ("few_slots+0x50", 3.0),
    ] {
        assert_eq!(counts(lock(&profile, name)), (1.0, acquisitions), "{name}");
    }
    // Told apart by where they were made, although all are taken at one place.
    for (maker, instances) in [("make_here", 5.0), ("make_there", 7.0)] {
        let made = rows(&profile, |lock| born_in(lock, maker));
        assert_eq!(made.len(), 1, "{maker}");
        assert_eq!(counts(made[0]), (instances, 2.0 * instances), "{maker}");
        assert_eq!(made[0]["initialised"], true);
        assert!(sites(made[0]).iter().all(|(site, _)| site.contains("take")));
    }
}

#[test]
fn a_million_locks_from_one_place_are_one_row() {
    if !locktoll_needs::programs(&["c++"]) {
        return;
    }
    let bench = Bench::new();
    let program = bench.cpp("identity");
    let (_, profile) = bench.answers(&[], &[program.to_str().unwrap(), "1000000"]);
    let many = rows(&profile, |lock| born_in(lock, "make_many"));
    assert_eq!(many.len(), 1);
    assert_eq!(counts(many[0]), (1e6, 1e6));
    assert!(
        !many[0]["members"].as_array().unwrap().is_empty(),
        "it can be opened"
    );
}

/// A child takes locks that its parent has made, and makes some of its own. They keep their origin in it, and in its own child.
#[test]
fn a_lock_keeps_its_origin_over_a_fork() {
    let bench = Bench::new();
    let program = bench.c("forked_locks", &[]);
    assert!(bench.record(&[&program]).status.success());
    // Two children and the child of each, a hundred rounds each, with eight locks to read and write.
    assert_eq!(
        made(&bench.profile("out.locktoll")),
        [
            ("mutex", "child_init", true, 400),
            ("mutex", "parent_init", true, 400),
            ("rwlock", "parent_init", true, 3_200),
        ]
        .map(owned)
    );
}

/// More processes than a process remembers.
#[test]
fn a_lock_keeps_its_origin_over_many_forks() {
    let bench = Bench::new();
    let program = bench.c("forked_locks", &[]);
    let out = bench.record(&[program.to_str().unwrap(), "12"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert_eq!(
        made(&bench.profile("out.locktoll")),
        [
            ("mutex", "parent_init", true, 1_200),
            ("rwlock", "parent_init", true, 9_600),
        ]
        .map(owned)
    );
}

type Made = (String, String, bool, u64);

fn owned((kind, function, initialised, acquisitions): (&str, &str, bool, u64)) -> Made {
    (
        kind.to_owned(),
        function.to_owned(),
        initialised,
        acquisitions,
    )
}

/// Of each row in order: what sort of lock, the function that made it, whether that initialised it, and acquisitions.
fn made(profile: &Value) -> Vec<Made> {
    let locks = profile["locks"].as_array().unwrap().iter();
    let mut rows: Vec<Made> = locks
        .map(|lock| {
            owned((
                lock["kind"].as_str().unwrap(),
                function(&lock["birth"]),
                lock["initialised"].as_bool().unwrap(),
                lock["acquisitions"].as_u64().unwrap(),
            ))
        })
        .collect();
    rows.sort_unstable();
    rows
}
