//! Candidates with `+slice` under a program that plays a kernel with the time slice extension (`mutex_slice_extension.c`).
#![cfg(target_arch = "x86_64")]

use crate::each::under_each;
use crate::support::{Candidate, Counts, candidates, program_with, run_under_with};

/// Runs the program under a candidate's name. It has areas of its own, and the C library registers none.
fn run(candidate: &Candidate, suffix: &str, mode: &str) -> Counts {
    // The library finds the program's variables, as it finds the C library's.
    let program = program_with("mutex_slice_extension.c", &["-rdynamic"]);
    let name = format!("{}{suffix}", candidate.name);
    // The gate replaces no mutexes that store their holder.
    let arguments: &[&str] = match candidate.name.starts_with("gate") {
        true => &[mode, "plain"],
        false => &[mode],
    };
    let off = [("GLIBC_TUNABLES", "glibc.pthread.rseq=0")];
    let replaced = run_under_with(&name, &program, arguments, &off);
    assert!(
        replaced.output.status.success(),
        "{mode} under {name}: {}\n{}",
        replaced.output.status,
        String::from_utf8_lossy(&replaced.output.stdout),
    );
    replaced.counts
}

/// Candidates of each kind: one that releases by a store, one with a word, one with nodes, one with the C library's mutex.
fn some() -> Vec<Candidate> {
    let all = candidates().into_iter();
    all.filter(|it| ["tollgate", "futex3", "mcs-park", "gate"].contains(&it.name.as_str()))
        .collect()
}

#[test]
fn each_candidate_requests_while_it_holds_and_gives_each_grant_back_once() {
    let all = candidates().into_iter().filter(|it| it.replaces);
    // It is not a candidate of `try`, and has no form with the suffix.
    let all = all.filter(|it| !it.name.starts_with("speed-up"));
    under_each(all.collect(), |candidate| {
        let counts = run(&candidate, "+slice", "offered");
        let [with, without] = counts.slice_extension_threads;
        assert!(with >= 5 && without == 0, "{}: {counts:?}", candidate.name);
        assert!(
            counts.slice_extensions > 0,
            "{}: {counts:?}",
            candidate.name
        );
    });
}

#[test]
fn a_thread_for_which_it_is_enabled_does_not_enable_it_again() {
    under_each(some(), |candidate| {
        let counts = run(&candidate, "+slice", "enabled");
        assert_eq!(counts.slice_extension_threads[1], 0, "{}", candidate.name);
    });
}

#[test]
fn nothing_is_requested_where_it_is_not_offered_or_refused() {
    under_each(some(), |candidate| {
        for mode in ["absent", "original", "refused"] {
            let counts = run(&candidate, "+slice", mode);
            let [with, without] = counts.slice_extension_threads;
            assert!(with == 0 && without >= 5, "{}: {counts:?}", candidate.name);
            assert_eq!(counts.slice_extensions, 0, "{}", candidate.name);
        }
    });
}

#[test]
fn candidates_without_the_suffix_leave_it_alone() {
    under_each(some(), |candidate| {
        let counts = run(&candidate, "", "unused");
        assert_eq!(counts.slice_extension_threads, [0; 2], "{}", candidate.name);
    });
}

#[test]
fn a_program_that_gives_up_system_calls_requests_nothing_more() {
    under_each(some(), |candidate| {
        run(&candidate, "+slice", "given-up");
    });
}
