//! However the program ends, the recording contains everything up to then.

use std::collections::BTreeMap;

use crate::support::{acquisitions_in, compare, counts_in, program};

#[test]
fn every_way_to_end_leaves_all_counts() {
    for (way, acquisitions, says_so) in [
        ("return", 2000, true),
        ("exit", 2000, true),
        ("held", 2001, true),
        ("_exit", 2000, true),
        ("abort", 2000, false),
        ("kill", 2000, false),
        ("segv", 2000, false),
        ("alarm", 2000, false),
        ("quick_exit", 2001, false),
        ("exit-waited-for", 2001, true),
        ("exit-elsewhere", 2000, true),
    ] {
        let recorded = compare(&program("last_words.c"), &[way]);
        let part = recorded.only_part();
        assert_eq!(acquisitions_in(part, "last_words_c"), acquisitions, "{way}");
        assert_eq!(part.process.end_monotonic_ns.is_some(), says_so, "{way}");
    }
}

#[test]
fn a_process_that_ends_without_exit_handlers_tells_what_its_main_thread_did() {
    let recorded = compare(&program("last_words.c"), &["_exit"]);
    let part = recorded.only_part();
    let main = part.threads.iter().find(|it| it.tid == part.process.pid);
    let kernel = main.and_then(|main| main.kernel).expect("it was asked");
    assert!(kernel.cpu_ns > 0 && part.process.usage.is_some());
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

#[test]
fn what_runs_after_main_is_recorded_and_not_in_the_way() {
    if !locktoll_needs::programs(&["c++"]) {
        return;
    }
    let recorded = compare(&program("after_main.cpp"), &[]);
    let part = recorded.only_part();
    let printed = recorded.output.stdout.iter().filter(|&&byte| byte == b'\n');
    // One line for each acquisition of the one lock, and an unknown number of the other's.
    let of_one_lock = counts_in(part, "after_main_cpp");
    let mut by_lock = BTreeMap::new();
    for count in of_one_lock {
        *by_lock.entry(count.lock_address).or_insert(0) += count.acquisitions;
    }
    assert_eq!(by_lock.len(), 2);
    let expected = printed.count() as u64;
    assert!(
        by_lock
            .values()
            .any(|&acquisitions| acquisitions == expected),
        "{by_lock:?} {expected}"
    );
}
