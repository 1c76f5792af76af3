//! Other processes, and a process whose surroundings change.

use crate::support::{
    acquisitions_in, assert_same, command, compare, program, run_recorded, whole,
};

#[test]
fn everything_that_is_started_behaves_as_without_us() {
    let recorded = compare(&program("processes.c"), &[]);
    let leaves = recorded.recordings.iter().map(whole).filter(|part| {
        let arguments = &part.process.command.arguments;
        arguments.len() > 1 && arguments[1] == "leaf"
    });
    let counted: Vec<u64> = leaves
        .map(|part| acquisitions_in(part, "processes_c"))
        .collect();
    // By vfork, by posix_spawn with and without actions, by system; those without an environment are not recorded.
    assert_eq!(counted, [10; 4]);
}

/// Runs `surroundings.c` in this way, bare and recorded. Standard error may differ: the recorder may have to say that it
/// could not go on.
fn same_but_for_the_recorder(way: &str) {
    let program = program("surroundings.c");
    let mut bare = command(&program).arg(way).output().unwrap();
    let mut recorded = run_recorded(&program, &[way]);
    assert_eq!(bare.stderr, b"");
    let said = String::from_utf8_lossy(&recorded.output.stderr).into_owned();
    assert!(
        said.lines().all(|line| line.starts_with("locktoll: ")),
        "{said}"
    );
    bare.stderr.clear();
    recorded.output.stderr.clear();
    assert_same(&bare, &recorded.output);
}

#[test]
fn descriptors_are_all_the_programs_own() {
    same_but_for_the_recorder("descriptors");
}

#[test]
fn a_process_that_may_open_nothing_goes_on() {
    same_but_for_the_recorder("no-more-files");
}

#[test]
fn a_process_in_another_root_goes_on() {
    same_but_for_the_recorder("chroot");
}

#[test]
fn a_process_that_gives_up_its_user_goes_on() {
    same_but_for_the_recorder("user");
}

#[test]
fn a_process_whose_system_calls_fail_goes_on() {
    same_but_for_the_recorder("seccomp-errno");
}

#[test]
fn a_process_whose_system_calls_kill_it_goes_on() {
    for way in ["seccomp-kill", "seccomp-call", "seccomp-prctl"] {
        same_but_for_the_recorder(way);
    }
}

#[test]
fn system_calls_may_be_given_up_while_locks_are_held_and_waited_for() {
    same_but_for_the_recorder("seccomp-midway");
}

#[test]
fn a_process_bound_to_one_processor_goes_on() {
    same_but_for_the_recorder("cpu");
}

#[test]
fn a_process_without_an_environment_goes_on() {
    same_but_for_the_recorder("environment");
}

#[test]
fn a_server_that_becomes_another_user_is_recorded_all_the_same() {
    // SAFETY: geteuid(2) has no conditions.
    if unsafe { libc::geteuid() } != 0 {
        locktoll_needs::refused("only root can become another user");
        return;
    }
    let program = program("other_user.c");
    // The folder is the superuser's alone: see `tempfile`.
    let recorded = run_recorded(&program, &[]);
    assert!(recorded.output.status.success() && recorded.output.stderr.is_empty());
    assert_eq!(recorded.recordings.len(), 2, "the program and its worker");
    for recording in &recorded.recordings {
        let counts = whole(recording).counts.iter();
        assert_eq!(counts.map(|count| count.acquisitions).sum::<u64>(), 20_000);
    }
}
