//! What the library is told, by whom it is called, and what it does where it cannot do as told.

use locktoll_substitute::tally::Object;

use crate::support::{program, run_in, same_under_all};

#[test]
fn old_names_go_where_those_of_today_go() {
    for (candidate, replaced) in same_under_all("old_names.c", &[]) {
        let replaced = replaced.counts.replaced(Object::Mutex);
        assert_eq!(replaced > 0, candidate.replaces, "{candidate:?}");
    }
}

#[test]
fn a_name_that_is_no_candidate_replaces_nothing_and_is_told() {
    let program = program("old_names.c");
    for name in ["tikcet", "", "futex3:", "ticket:1"] {
        let replaced = run_in(name, &program, &[], &[]);
        assert!(
            replaced.output.status.success(),
            "{name:?}: {:?}",
            replaced.output
        );
        assert_eq!(replaced.counts.failures, 1, "{name:?}");
        assert_eq!(replaced.counts.replaced(Object::Mutex), 0, "{name:?}");
    }
}

#[test]
fn without_a_file_to_count_in_the_program_runs_as_ordered() {
    let program = program("old_names.c");
    let folder = tempfile::tempdir().expect("a folder");
    let short = folder.path().join("short");
    std::fs::write(&short, [0; 16]).expect("a file that is too short");
    let missing = folder.path().join("missing");
    for path in [&short, &missing, &folder.path().to_owned()] {
        let path = path.to_str().expect("a path that is text");
        let replaced = run_in("futex3", &program, &[], &[("LOCKTOLL_TALLY", path)]);
        assert!(
            replaced.output.status.success(),
            "{path}: {:?}",
            replaced.output
        );
        assert_eq!(
            replaced.counts.processes, 0,
            "{path}: nobody counts elsewhere"
        );
    }
    assert_eq!(std::fs::read(&short).expect("it is there"), [0; 16]);
    assert!(!missing.exists());
}
