//! However the program ends, what it did is in the recording.

use crate::support::{acquisitions_in, compare, program};

#[test]
fn every_way_to_end_leaves_all_counts() {
    for (way, acquisitions, exit_handlers_run) in [
        ("return", 2000, true),
        ("exit", 2000, true),
        ("held", 2001, true),
        ("_exit", 2000, false),
        ("abort", 2000, false),
        ("kill", 2000, false),
        ("segv", 2000, false),
    ] {
        let recorded = compare(&program("last_words.c"), &[way]);
        let part = recorded.only_part();
        assert_eq!(acquisitions_in(part, "last_words_c"), acquisitions, "{way}");
        assert_eq!(
            part.process.end_monotonic_ns.is_some(),
            exit_handlers_run,
            "{way}"
        );
    }
}

#[test]
fn a_process_killed_while_it_waits_shows_what_it_waits_for() {
    let recorded = compare(&program("last_words.c"), &["waiting"]);
    let part = recorded.only_part();
    assert_eq!(acquisitions_in(part, "last_words_c"), 2001);
    let waiting: Vec<_> = part
        .threads
        .iter()
        .filter_map(|thread| thread.waiting)
        .collect();
    let [waiting] = waiting[..] else {
        panic!("{} threads wait", waiting.len());
    };
    let lock = part
        .counts
        .iter()
        .find(|count| count.acquisitions >= 1000)
        .unwrap();
    assert_eq!(waiting.lock_address, lock.lock_address);
    assert!(waiting.site.is_some() && waiting.since_ns > part.process.start_monotonic_ns);
}
