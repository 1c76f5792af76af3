//! A program that changes its own surroundings continues as it does without this library: it closes all descriptors, may open
//! none, has another root or another user, or gave up all system calls except those that it needs itself (`surroundings.c`).

use crate::each::under_each;
use crate::support::{assert_same, candidates, program, run_bare, run_under};

/// The candidates that sleep in ways of their own, and one that leaves everything to the C library. Spinners make no system call.
const TRIED: [&str; 6] = [
    "pass-through",
    "tollgate",
    "futex3",
    "mcs-park",
    "gate",
    "ticket-yield",
];

/// Those that wait by futex(2) alone, as the C library's locks do. The others yield or nap where their lock is taken, by sched_yield(2) and
/// nanosleep(2): a program whose filter kills at calls that it does not expect may be killed by that. `try` then leaves the lock
/// out, with the reason.
const BY_FUTEX: [&str; 3] = ["pass-through", "futex3", "mcs-park"];

fn goes_on(way: &str) {
    let is_filtered = way.starts_with("seccomp");
    let program = program("surroundings.c");
    let bare = run_bare(&program, &[way]);
    assert_eq!(bare.status.code(), Some(7), "{way}: {bare:?}");
    let tried = candidates()
        .into_iter()
        .filter(|candidate| TRIED.contains(&candidate.name.as_str()))
        .filter(|candidate| !is_filtered || BY_FUTEX.contains(&candidate.name.as_str()));
    under_each(tried.collect(), |candidate| {
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
    for way in [
        "seccomp-errno",
        "seccomp-kill",
        "seccomp-call",
        "seccomp-prctl",
        "seccomp-midway",
    ] {
        goes_on(way);
    }
}
