//! Programs whose holds are lengthened: their output must not depend on it.

use locktoll_substitute::tally::Object;

use crate::support::{assert_same, can_be_compiled, program, run_bare, run_in, run_under};

/// Programs of known output, with arguments that keep them short.
const PROGRAMS: &[(&str, &[&str])] = &[
    ("return_codes.c", &[]),
    ("return_codes_c11.c", &[]),
    ("return_codes_rwlock.c", &[]),
    ("return_codes_condition.c", &[]),
    ("return_codes_semaphore.c", &[]),
    ("return_codes_owner_died.c", &[]),
    ("return_codes_ceiling.c", &[]),
    ("return_codes_blocking.c", &[]),
    ("cpp20.cpp", &[]),
    ("unwinding.cpp", &[]),
    ("cleanup_in_c.c", &[]),
    ("cancellation.cpp", &[]),
    ("constructors.c", &[]),
    ("after_main.cpp", &[]),
    ("coroutines.c", &[]),
    ("jumping.c", &[]),
    ("forking_handler.c", &[]),
    ("foreign_unlock.c", &[]),
    ("families.c", &["fork"]),
    ("families.c", &["fork-thread"]),
    ("families.c", &["exec"]),
    ("successive_threads.c", &["500"]),
    ("allocating.c", &[]),
];

#[test]
fn output_and_exit_status_stay_the_same() {
    for (name, arguments) in PROGRAMS {
        if !can_be_compiled(name) {
            continue;
        }
        let program = program(name);
        let bare = run_bare(&program, arguments);
        for lengthen in ["lengthen:0", "lengthen:40"] {
            let lengthened = run_under(lengthen, &program, arguments);
            let what = format!("{name} {arguments:?} under {lengthen}");
            assert_same(&what, &bare, &lengthened.output);
        }
    }
}

#[test]
fn a_process_without_system_calls_is_not_ended_for_ours() {
    let program = program("mutex_sandboxed.c");
    let bare = run_bare(&program, &[]);
    let lengthened = run_under("lengthen:40", &program, &[]);
    assert_same("mutex_sandboxed.c", &bare, &lengthened.output);
}

#[test]
fn only_the_locks_that_are_asked_for_are_lengthened() {
    let program = program("mutex_only.c");
    let places = String::from_utf8(run_bare(&program, &["tell"]).stdout).unwrap();
    assert_eq!(places.lines().count(), 4);
    for line in places.lines() {
        let (place, mutexes) = line.rsplit_once(' ').unwrap();
        let only = [("LOCKTOLL_ONLY", place)];
        let lengthened = run_in("lengthen:10", &program, &["run"], &only);
        assert!(lengthened.output.status.success(), "{place}");
        let replaced = lengthened.counts.replaced(Object::Mutex);
        assert_eq!(replaced, mutexes.parse::<u64>().unwrap(), "{place}");
        assert_eq!(lengthened.counts.failures, 0, "{place}");
    }
}

#[test]
fn a_request_that_is_not_understood_lengthens_nothing() {
    let program = program("mutex_only.c");
    for wrong in ["lengthen", "lengthen:x", "lengthen:2000"] {
        let lengthened = run_in(wrong, &program, &["run"], &[]);
        assert_eq!(lengthened.counts.failures, 1, "{wrong}");
        assert_eq!(lengthened.counts.replaced(Object::Mutex), 0, "{wrong}");
    }
}
