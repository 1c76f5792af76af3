//! Reader-writer locks.

use locktoll_substitute::tally::{Object, Reason};

use crate::each::under_each;
use crate::support::{Candidate, candidates, program, run_under, same_under_all};

fn replaces(candidate: &Candidate) -> bool {
    candidate.replaces && !candidate.leaves_others
}

#[test]
fn return_what_the_c_library_returns() {
    for (candidate, replaced) in same_under_all("return_codes_rwlock.c", &[]) {
        // It counts the locks of the C library whose holds it speeds up.
        if candidate.name.starts_with("speed-up") {
            continue;
        }
        let counts = &replaced.counts;
        let expected = if replaces(&candidate) { 3 } else { 0 };
        assert_eq!(
            counts.replaced(Object::ReaderWriter),
            expected,
            "{candidate:?}"
        );
        if candidate.replaces {
            let shared = counts.passed_through(Object::ReaderWriter, Reason::ProcessShared);
            assert_eq!(shared, 2, "{candidate:?}");
        }
        let left = if candidate.replaces {
            2 - expected.min(2)
        } else {
            0
        };
        let no_room = counts.passed_through(Object::ReaderWriter, Reason::NoRoom);
        assert_eq!(no_room, left, "{candidate:?}");
    }
}

#[test]
fn let_readers_in_together() {
    same_under_all("rw_readers_meet.c", &[]);
}

#[test]
fn keep_writers_apart_from_everybody() {
    same_under_all("rw_invariant.c", &[]);
    same_under_all("rw_standard.cpp", &[]);
}

#[test]
fn may_be_made_and_ended_again_and_again_in_any_memory() {
    same_under_all("rw_lives.c", &[]);
}

#[test]
fn go_on_in_a_forked_child() {
    same_under_all("rw_forks.c", &[]);
}

/// What the C library's own locks do not survive.
#[test]
fn go_on_in_the_child_although_threads_that_are_not_there_waited() {
    let program = program("rw_forks.c");
    under_each(
        candidates().into_iter().filter(replaces).collect(),
        |candidate| {
            let output = run_under(&candidate.name, &program, &["with waiters"]).output;
            assert!(output.status.success(), "{candidate:?}: {output:?}");
            assert_eq!(
                String::from_utf8_lossy(&output.stdout),
                "done\n",
                "{candidate:?}"
            );
        },
    );
}
