//! Condition variables: with every mutex, under signals, requests to cancel, deadlines and forks, and when they are freed.

use locktoll_substitute::tally::{Object, Reason};

use crate::each::under_each;
use crate::support::{
    can_be_compiled, candidates, program, run_under, same_under_all, succeeds_under_all,
};

/// For programs that succeed where the C library's own conditions do not.
fn succeeds_where_replaced(name: &str, threads: u32, arguments: &[&str]) {
    if !can_be_compiled(name) {
        return;
    }
    let program = program(name);
    let all = candidates().into_iter().filter(|it| it.replaces).collect();
    under_each(all, |candidate| {
        let threads = candidate.threads(threads).to_string();
        let arguments: Vec<&str> = std::iter::once(&threads[..])
            .chain(arguments.iter().copied())
            .collect();
        let replaced = run_under(&candidate.name, &program, &arguments);
        assert!(
            replaced.output.status.success(),
            "{name} under {candidate:?}: {:?}",
            replaced.output
        );
    });
}

#[test]
fn return_what_the_c_librarys_return() {
    for (candidate, replaced) in same_under_all("return_codes_condition.c", &[]) {
        let count = |reason| replaced.counts.passed_through(Object::Condition, reason);
        if candidate.replaces {
            assert_eq!(
                replaced.counts.replaced(Object::Condition),
                9,
                "{candidate:?}"
            );
            assert_eq!(count(Reason::ProcessShared), 1, "{candidate:?}");
        } else {
            assert_eq!(replaced.counts.replaced(Object::Condition), 0);
        }
    }
    same_under_all("return_codes_c11.c", &[]);
    for (candidate, replaced) in succeeds_under_all("condition.c", 2, &[]) {
        // How often a wait ends is the machine's affair.
        let said = String::from_utf8_lossy(&replaced.output.stdout);
        assert!(
            said.ends_with(", timed 110, clocked 110\n"),
            "{candidate:?}: {said}"
        );
    }
}

#[test]
fn lose_no_signal_and_let_nobody_in_twice() {
    for (candidate, replaced) in succeeds_under_all("condition_counts.c", 64, &[]) {
        let least = if candidate.replaces { 5 } else { 0 };
        assert_eq!(
            replaced.counts.replaced(Object::Condition),
            least,
            "{candidate:?}"
        );
    }
}

#[test]
fn go_on_waiting_when_a_handler_has_run() {
    same_under_all("condition_interrupted.c", &[]);
}

#[test]
fn are_left_in_good_order_by_cancelled_threads() {
    same_under_all("cancellation.cpp", &[]);
    same_under_all("cancellation_points.cpp", &[]);
    succeeds_under_all("condition_cancelled.cpp", 16, &[]);
    succeeds_where_replaced("condition_cancelled.cpp", 16, &["any"]);
    same_under_all("condition_exits.c", &[]);
}

#[test]
fn may_be_freed_when_everybody_has_been_told() {
    succeeds_under_all("condition_freed.c", 32, &[]);
}

#[test]
fn serve_the_standard_library_of_cpp() {
    succeeds_under_all("condition_standard.cpp", 8, &[]);
}

#[test]
fn between_processes_go_with_any_mutex() {
    for (candidate, replaced) in succeeds_under_all("condition_between.c", 4, &[]) {
        let met = if candidate.replaces { 2 } else { 0 };
        let passed = replaced
            .counts
            .passed_through(Object::Condition, Reason::ProcessShared);
        assert_eq!(passed, met, "{candidate:?}");
    }
}

#[test]
fn are_the_childs_own_after_a_fork() {
    succeeds_where_replaced("condition_forks.c", 8, &[]);
}
