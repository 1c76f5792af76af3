//! Threads that leave in other ways than by returning: cancelled, by pthread_exit, by an exception.

use crate::support::{compare, program};

#[test]
fn a_thread_can_be_cancelled_out_of_a_wait_for_a_condition() {
    compare(&program("cleanup_in_c.c"), &[]);
    if !locktoll_needs::programs(&["c++"]) {
        return;
    }
    let recorded = compare(&program("cancellation.cpp"), &[]);
    let output = String::from_utf8_lossy(&recorded.output.stdout);
    assert_eq!(output.matches("destructor ran").count(), 2);
}

#[test]
fn a_request_is_acted_upon_in_every_cancellation_point_and_nowhere_else() {
    if !locktoll_needs::programs(&["c++"]) {
        return;
    }
    let recorded = compare(&program("cancellation_points.cpp"), &[]);
    let output = String::from_utf8_lossy(&recorded.output.stdout);
    // 18 functions that wait, each cancelled before and in the wait, except the one that need not wait.
    assert_eq!(output.matches("  cancelled\n").count(), 2 * 18 - 1);
    assert_eq!(output.matches("  ended by itself").count(), 6);
}

#[test]
fn every_way_to_leave_a_thread_runs_its_destructors() {
    if !locktoll_needs::programs(&["c++"]) {
        return;
    }
    let program = program("unwinding.cpp");
    for way in [
        "exit", "c11-exit", "rethrow", "async", "throw", "noexcept", "main",
    ] {
        let recorded = compare(&program, &[way]);
        let output = String::from_utf8_lossy(&recorded.output.stdout);
        let expected = match way {
            "throw" => "",
            "main" => "last words",
            _ => "mutex was free",
        };
        assert!(output.contains(expected), "{way}: {output}");
    }
}

#[test]
fn a_signal_handler_may_post_a_semaphore() {
    let program = program("post_from_handler.c");
    let bare = crate::support::run_bare(&program, &[]);
    let recorded = crate::support::run_recorded(&program, &[]);
    assert_eq!(recorded.output.stdout, bare.stdout);
    assert_eq!(recorded.output.stdout, b"taken 200, errors 0\n");
    assert_eq!(recorded.output.status, bare.status);
}

#[test]
fn the_smallest_stacks_are_large_enough() {
    let recorded = compare(&program("small_stacks.c"), &[]);
    assert_eq!(recorded.output.stdout, b"shared 800, handled 3\n");
}
