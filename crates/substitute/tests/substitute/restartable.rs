//! Events that may come between a release by a restartable sequence and the kernel: signals, a filter of system calls, areas
//! that are not the C library's or do not exist. `tollgate` has such releases; the other candidates pass the same tests.

use crate::support::{candidates, program, run_under_with, succeeds_under_all};

/// Every candidate with few threads, and `tollgate` with many.
fn goes_on(name: &str) {
    succeeds_under_all(name, 4, &[]);
    succeeds_with_many(name, &[]);
}

fn succeeds_with_many(name: &str, environment: &[(&str, &str)]) {
    for candidate in candidates().iter().filter(|it| it.name == "tollgate") {
        let replaced = run_under_with(&candidate.name, &program(name), &["64"], environment);
        assert!(
            replaced.output.status.success(),
            "{name}: {:?}",
            replaced.output
        );
    }
}

#[test]
fn signals_wherever_a_thread_is() {
    goes_on("mutex_interrupted.c");
}

#[test]
fn a_filter_of_system_calls_that_comes_into_force_later() {
    goes_on("mutex_sandboxed.c");
}

#[test]
fn programs_with_areas_of_their_own() {
    goes_on("mutex_own_rseq.c");
}

#[test]
fn a_c_library_that_registers_none() {
    // Versions that do not know the name pass over it (ld.so(8)): they register none anyway.
    let off = [("GLIBC_TUNABLES", "glibc.pthread.rseq=0")];
    for name in [
        "mutex_own_rseq.c",
        "mutex_interrupted.c",
        "mutex_counters.c",
    ] {
        succeeds_with_many(name, &off);
    }
}
