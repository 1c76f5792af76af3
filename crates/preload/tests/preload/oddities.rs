//! Programs that do things that no manual recommends.

use crate::support::{
    acquisitions_in, assert_same, compare, counts_in, program, program_with, run_bare, run_recorded,
};

#[test]
fn a_signal_handler_may_jump_out_of_anything() {
    let program = program("jumping.c");
    let bare = run_bare(&program, &[]);
    let recorded = run_recorded(&program, &[]);
    assert_same(&bare, &recorded.output);
    assert_eq!(recorded.output.stdout, b"jumps 50, shared 2000\n");
}

#[test]
fn coroutines_have_stacks_of_their_own() {
    let recorded = compare(&program("coroutines.c"), &[]);
    // 3 threads, 100 turns: both sides take the one, and the first side the other.
    assert_eq!(
        acquisitions_in(recorded.only_part(), "coroutines_c"),
        3 * 100 * 3
    );
}

#[test]
fn a_mutex_may_be_unlocked_by_another_thread() {
    let recorded = compare(&program("foreign_unlock.c"), &[]);
    let part = recorded.only_part();
    let mutexes = counts_in(part, "foreign_unlock_c")
        .into_iter()
        .filter(|count| count.kind == locktoll_recording::layout::LockKind::Mutex);
    let acquisitions: u64 = mutexes.map(|count| count.acquisitions).sum();
    assert_eq!(acquisitions, 5_300);
    let process = &part.process;
    let lived_ns = process.end_monotonic_ns.unwrap() - process.start_monotonic_ns;
    assert!(part.holds.iter().all(|hold| hold.max_ns <= lived_ns));
    // It is released by who acquired it, too, and that is timed whatever went before.
    assert!(part.holds.iter().any(|hold| hold.timed >= 16));
}

#[test]
fn a_program_may_wrap_the_functions_itself() {
    let plugin = program_with("plugin.c", &["-shared", "-fPIC"]);
    let wrapping = program_with("own_wrappers.c", &["-rdynamic"]);
    let plugin = plugin.to_str().unwrap();
    let recorded = compare(&wrapping, &["namespace", plugin]);
    let part = recorded.only_part();
    // The call is the wrapper's.
    let counted = acquisitions_in(part, "own_wrappers_c");
    assert_eq!(counted, 3_000);
}

#[test]
fn with_undefined_behaviour_looked_for_all_is_the_same() {
    let flags = ["-fsanitize=undefined", "-fno-sanitize-recover=all"];
    for name in ["pairs.c", "known_wait.c"] {
        let program = program_with(name, &flags);
        let recorded = run_recorded(&program, &[]);
        assert_eq!(recorded.output.stderr, b"", "{name}");
        assert_eq!(recorded.output.status, run_bare(&program, &[]).status);
        assert!(
            acquisitions_in(
                recorded.only_part(),
                program.file_name().unwrap().to_str().unwrap()
            ) > 0
        );
    }
}

#[test]
fn an_address_sanitizer_that_is_linked_in_finds_what_it_finds_without_us() {
    let flags = ["-fsanitize=address", "-static-libasan"];
    for (name, arguments) in [
        ("allocating.c", &[][..]),
        ("small_stacks.c", &[]),
        ("unwinding.cpp", &["exit"]),
        // It leaks, which is an error that is reported and ends the program with another status.
        ("pairs.c", &[]),
    ] {
        if name.ends_with(".cpp") && !locktoll_needs::programs(&["c++"]) {
            continue;
        }
        let program = program_with(name, &flags);
        let bare = run_bare(&program, arguments);
        let recorded = run_recorded(&program, arguments);
        assert_eq!(recorded.output.stdout, bare.stdout, "{name}");
        assert_eq!(
            recorded.output.status,
            bare.status,
            "{name}: {}",
            String::from_utf8_lossy(&recorded.output.stderr)
        );
    }
}
