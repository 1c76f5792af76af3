//! Programs whose output must not depend on a preloaded library, as in the recorder's tests: the same output and exit status
//! bare and under every candidate.

use crate::each::under_each;
use crate::support::{
    Candidate, assert_same, can_be_compiled, candidates, program, run_bare, run_under,
};

/// Runs `tests/programs/NAME` bare and under every candidate that is to try it.
fn is_the_same_under(wanted: impl Fn(&Candidate) -> bool, name: &str, arguments: &[&str]) {
    if !can_be_compiled(name) {
        return;
    }
    let program = program(name);
    let bare = run_bare(&program, arguments);
    under_each(
        candidates().into_iter().filter(wanted).collect(),
        |candidate| {
            let replaced = run_under(&candidate.name, &program, arguments);
            let what = format!("{name} {arguments:?} under {}", candidate.name);
            assert_same(&what, &bare, &replaced.output);
        },
    );
}

macro_rules! programs {
    ($($test:ident: $name:literal $(, $argument:literal)*;)+) => {
        $(
            #[test]
            fn $test() {
                is_the_same_under(|_| true, $name, &[$($argument),*]);
            }
        )+
    };
}

programs! {
    return_codes_of_semaphores: "return_codes_semaphore.c";
    return_codes_of_threads: "return_codes_threads.c";
    return_codes_of_futexes: "return_codes_futex.c";
    return_codes_of_what_may_block_while_locks_are_held: "return_codes_blocking.c";
    everything_of_cpp20: "cpp20.cpp";
    exceptions_pass_through_locks: "unwinding.cpp";
    clean_up_handlers_of_c: "cleanup_in_c.c";
    locks_in_constructors: "constructors.c";
    locks_after_main: "after_main.cpp";
    coroutines: "coroutines.c";
    handlers_jump_out: "jumping.c";
    handlers_fork: "forking_handler.c";
    another_thread_releases: "foreign_unlock.c";
    two_thousand_threads: "successive_threads.c", "2000";
    children_by_fork: "families.c", "fork";
    children_by_fork_beside_a_thread_that_locks: "families.c", "fork-thread";
    children_by_vfork: "families.c", "vfork";
    children_by_spawn: "families.c", "spawn";
    another_image: "families.c", "exec";
    processes_of_many_kinds: "processes.c";
}

/// Four threads on one mutex: where waiters do nothing but spin in order of arrival, two processors hand over once a slice.
#[test]
fn memory_that_other_threads_free() {
    is_the_same_under(|candidate| !candidate.is_pure_spinner, "allocating.c", &[]);
}

/// As [`memory_that_other_threads_free`]: waiters that do nothing but spin take 20 turns, since each costs them a slice of the
/// scheduler. The long variant gives them as many as the others.
#[test]
fn small_stacks() {
    let short = |candidate: &Candidate| candidate.is_pure_spinner && !locktoll_needs::soak();
    is_the_same_under(|it| !short(it), "small_stacks.c", &[]);
    is_the_same_under(short, "small_stacks.c", &["20"]);
}
