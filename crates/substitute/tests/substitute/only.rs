//! Runs in which only some objects are replaced.

use locktoll_substitute::tally::{Object, Reason};

use crate::support::{program, run_bare, run_in, run_under_with};

/// How many mutexes the program has in all. Its last use of one that it has destroyed makes one more.
const ALL: u64 = 12;

#[test]
fn mutexes_that_are_not_asked_for_are_left() {
    let program = program("mutex_only.c");
    let told = run_bare(&program, &["tell"]);
    let told = String::from_utf8(told.stdout).unwrap();
    let places: Vec<(&str, u64)> = told
        .lines()
        .map(|line| line.rsplit_once(' ').unwrap())
        .map(|(place, mutexes)| (place, mutexes.parse().unwrap()))
        .collect();
    assert_eq!(places.len(), 4);
    assert!(run_bare(&program, &["run"]).status.success());
    let both = format!("{}\n{}\n", places[0].0, places[2].0);
    let nowhere = "object:/no/such/file:0x10".to_owned();
    let mut asked: Vec<(String, u64)> = places
        .iter()
        .map(|(place, mutexes)| ((*place).to_owned(), *mutexes))
        .collect();
    asked.extend([(both, places[0].1 + places[2].1), (nowhere, 0)]);
    for candidate in ["futex3", "ttas-backoff-yield", "mcs-park"] {
        for (only, expected) in &asked {
            let replaced =
                run_under_with(candidate, &program, &["run"], &[("LOCKTOLL_ONLY", only)]);
            let what = format!("{candidate}, {only}: {:?}", replaced.counts);
            assert!(
                replaced.output.status.success(),
                "{what}: {:?}",
                replaced.output
            );
            assert_eq!(replaced.counts.replaced(Object::Mutex), *expected, "{what}");
            let left = replaced
                .counts
                .passed_through(Object::Mutex, Reason::NotAskedFor);
            assert!(left > ALL - expected, "{what}");
        }
    }
}

#[test]
fn places_that_are_not_understood_replace_nothing() {
    let program = program("mutex_only.c");
    for only in ["", "nonsense", "object:/a:1\nsite:/a"] {
        let replaced = run_in("futex3", &program, &["run"], &[("LOCKTOLL_ONLY", only)]);
        assert!(replaced.output.status.success());
        assert_eq!(replaced.counts.failures, 1, "{only:?}");
        assert_eq!(replaced.counts.replaced(Object::Mutex), 0);
    }
}

#[test]
fn reader_writer_locks_and_spin_locks_that_are_not_asked_for_are_left() {
    const LOCKS: u64 = 6;
    const SPINS: u64 = 3;
    let program = program("others_only.c");
    let told = run_bare(&program, &["tell"]);
    let told = String::from_utf8(told.stdout).unwrap();
    assert_eq!(told.lines().count(), 5);
    assert!(run_bare(&program, &["run"]).status.success());
    for line in told.lines() {
        let (rest, spins) = line.rsplit_once(' ').unwrap();
        let (place, locks) = rest.rsplit_once(' ').unwrap();
        let (locks, spins): (u64, u64) = (locks.parse().unwrap(), spins.parse().unwrap());
        let replaced = run_under_with("futex3", &program, &["run"], &[("LOCKTOLL_ONLY", place)]);
        let counts = replaced.counts;
        let what = format!("{place}: {counts:?}");
        assert!(
            replaced.output.status.success(),
            "{what}: {:?}",
            replaced.output
        );
        assert_eq!(counts.replaced(Object::ReaderWriter), locks, "{what}");
        assert_eq!(counts.replaced(Object::Spin), spins, "{what}");
        let left = |object| counts.passed_through(object, Reason::NotAskedFor);
        assert_eq!(left(Object::ReaderWriter), LOCKS - locks, "{what}");
        assert_eq!(left(Object::Spin), SPINS - spins, "{what}");
        assert_eq!(counts.replaced(Object::Mutex), 0, "{what}");
    }
}
