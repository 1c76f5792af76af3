//! Several processes at once: those that are named, those that they start, and a control group.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::family::{Attached, Family, ROUNDS, program};
use crate::group::Group;
use crate::watched::{LOCKTOLL, folder, has_function, lock, text, waited_ns};

/// The waits for this lock: how many, in how many processes, and about as long as the waiters measured.
#[track_caller]
fn assert_waits(profile: &Value, name: &str, processes: u64, measured_ns: u64) {
    let lock = lock(profile, name);
    assert_eq!(lock["contended"], processes * ROUNDS, "{lock:#}");
    assert_eq!(lock["instances"], processes, "{lock:#}");
    // They read the clock around the call, which begins to wait after some spinning: no more than that, and not much less.
    let seen = waited_ns(lock);
    let bounds = measured_ns / 2..=measured_ns;
    assert!(bounds.contains(&seen), "{seen} of {measured_ns}");
    let holders: std::collections::BTreeSet<_> = lock["blame"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|it| it["holder_thread"]["tid"].as_u64())
        .collect();
    assert_eq!(holders.len() as u64, processes, "{lock:#}");
}

#[test]
fn what_a_process_starts_is_watched_and_what_that_becomes() {
    let folder = folder();
    let Some(program) = program(&folder) else {
        return;
    };
    let mut family = Family::start(&program);
    let id = family.child.id().to_string();
    let Some(attached) = Attached::begin(&[&id, "--children"]) else {
        return;
    };
    let (in_family, as_stranger) = family.work();
    family.end();
    // All have ended: nobody has to end it.
    let (profile, errors) = attached.profile();
    assert!(
        errors.contains("all watched processes have ended"),
        "{errors}"
    );
    assert_waits(&profile, "family_lock", 2, in_family);
    assert_waits(&profile, "stranger_lock", 1, as_stranger);
    let family_lock = lock(&profile, "family_lock");
    assert_eq!(family_lock["sites"].as_array().unwrap().len(), 1);
    assert!(has_function(
        family_lock,
        "sites",
        "frames",
        "in_the_family"
    ));
    let stranger_lock = lock(&profile, "stranger_lock");
    assert!(has_function(
        stranger_lock,
        "sites",
        "frames",
        "as_a_stranger"
    ));

    let processes = profile["processes"].as_array().unwrap();
    let of = |command: &str| {
        let named = processes.iter().filter(|it| it["command"][1] == command);
        named
            .map(|it| it["pid"].as_u64().unwrap())
            .collect::<Vec<_>>()
    };
    // One entry for each program that a process was: the stranger was a copy of its parent first.
    assert_eq!(processes.len(), 4, "{processes:#?}");
    let stranger = of("stranger");
    let same = processes.iter().filter(|it| it["pid"] == stranger[0]);
    assert_eq!((stranger.len(), same.count()), (1, 2));
    let first: u64 = id.parse().unwrap();
    assert!(
        processes
            .iter()
            .all(|it| it["pid"] == first || it["parent_pid"] == first)
    );
    assert!(processes.iter().all(|it| it["user_ns"].is_u64()));
}

#[test]
fn processes_that_are_named_are_watched_together_and_others_are_said_not_to_be() {
    let folder = folder();
    let Some(program) = program(&folder) else {
        return;
    };
    let mut families = [Family::start(&program), Family::start(&program)];
    let [one, other] = [0, 1].map(|at: usize| families[at].child.id().to_string());
    // Twice the same is once.
    let Some(attached) = Attached::begin(&[&one, &other, &one]) else {
        return;
    };
    for family in &mut families {
        family.work();
    }
    attached.interrupt();
    let (profile, _) = attached.profile();
    let lock = lock(&profile, "family_lock");
    assert_eq!(lock["contended"], 2 * ROUNDS);
    assert_eq!(lock["instances"], 2);
    assert_eq!(profile["processes"].as_array().unwrap().len(), 2);
    let names = profile["locks"].as_array().unwrap();
    assert!(names.iter().all(|it| it["name"] != "stranger_lock"));
    let warnings = profile["warnings"].to_string();
    assert!(
        warnings.contains("4 processes were started during the watch and not watched"),
        "{warnings}"
    );
    families.into_iter().for_each(Family::end);
}

#[test]
fn processes_that_join_a_control_group_are_watched_from_then_on() {
    let folder = folder();
    let (Some(program), Some(group)) = (program(&folder), Group::new()) else {
        return;
    };
    let path = group.folder().to_str().unwrap();
    let refused = Command::new(LOCKTOLL)
        .args(["attach", "--cgroup", path])
        .output()
        .unwrap();
    let errors = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{errors}");
    assert!(
        errors.contains("no process that can be watched"),
        "{errors}"
    );

    let mut first = Family::start(&program);
    group.add(first.child.id());
    let Some(attached) = Attached::begin(&["--cgroup", path]) else {
        return;
    };
    let copy = folder.path().join("latecomer");
    fs::copy(&program, &copy).unwrap();
    let mut latecomer = Family::start(&copy);
    group.add(latecomer.child.id());
    attached.has_opened(&copy);
    first.work();
    latecomer.work();
    first.end();
    latecomer.end();
    attached.interrupt();
    let (profile, _) = attached.profile();
    for name in ["family_lock", "stranger_lock"] {
        let locks = profile["locks"].as_array().unwrap().iter();
        let both: Vec<_> = locks
            .filter(|it| it["name"].as_str().unwrap().contains(name))
            .collect();
        let contended: u64 = both
            .iter()
            .map(|it| it["contended"].as_u64().unwrap())
            .sum();
        // Two files, two locks, each in two processes or in one.
        let processes = if name == "family_lock" { 4 } else { 2 };
        assert_eq!((both.len(), contended), (2, processes * ROUNDS), "{name}");
    }
}
