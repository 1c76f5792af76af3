//! A program that changes its own surroundings continues as it does without this library: it closes all descriptors, may open
//! none, has another root or another user, or gave up all system calls except those that it needs itself (`surroundings.c`).

use crate::each::under_each;
use crate::support::{Candidate, assert_same, candidates, program, run_bare, run_under};

/// The candidates that sleep in ways of their own, one that yields, and one that leaves everything to the C library.
const TRIED: [&str; 6] = [
    "pass-through",
    "tollgate",
    "futex3",
    "mcs-park",
    "gate",
    "ticket-yield",
];

fn goes_on(way: &str) {
    let tried = candidates()
        .into_iter()
        .filter(|candidate| TRIED.contains(&candidate.name.as_str()));
    goes_on_under(way, tried.collect());
}

fn goes_on_under(way: &str, tried: Vec<Candidate>) {
    let program = program("surroundings.c");
    let bare = run_bare(&program, &[way]);
    assert_eq!(bare.status.code(), Some(7), "{way}: {bare:?}");
    under_each(tried, |candidate| {
        let replaced = run_under(&candidate.name, &program, &[way]);
        let what = format!("{way} under {}", candidate.name);
        assert_same(&what, &bare, &replaced.output);
    });
}

#[test]
fn descriptors_are_all_the_programs_own() {
    goes_on("descriptors");
    goes_on("no-more-files");
}

#[test]
fn another_root_and_another_user() {
    goes_on("chroot");
    goes_on("user");
}

#[test]
fn system_calls_that_fail_or_kill() {
    for way in ["seccomp-errno", "seccomp-call", "seccomp-prctl"] {
        goes_on(way);
    }
    // One call that is not on the list ends the program: under every lock.
    for way in ["seccomp-kill", "seccomp-midway"] {
        goes_on_under(way, candidates());
    }
}
