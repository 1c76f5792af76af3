//! The counts agree with the events.

use std::collections::BTreeMap;

use locktoll_recording::layout::{EntryPoint, LockKind};
use locktoll_recording::reader::Part;

use crate::answers::{Answers, undisturbed};
use crate::support::{acquisitions_in, compare, counts_in, program, run_recorded};

/// Acquisitions of each lock.
fn by_lock(part: &Part, module: &str) -> BTreeMap<u64, u64> {
    let mut locks = BTreeMap::new();
    for count in counts_in(part, module) {
        *locks.entry(count.lock_address).or_default() += count.acquisitions;
    }
    locks
}

#[test]
fn uncontended_acquisitions_are_counted_exactly() {
    let recorded = compare(&program("pairs.c"), &["2", "100000"]);
    let locks = by_lock(recorded.only_part(), "pairs_c");
    let mut counts: Vec<u64> = locks.into_values().collect();
    counts.sort_unstable();
    assert_eq!(counts, [20, 100_000, 100_000]);
}

#[test]
fn each_lock_and_site_has_a_count_of_its_own() {
    let recorded = compare(&program("pairs.c"), &["3", "1000"]);
    let part = recorded.only_part();
    let counts = counts_in(part, "pairs_c");
    assert!(counts.iter().all(|count| count.entry == EntryPoint::Lock));
    let mut places: Vec<_> = counts
        .iter()
        .map(|count| (count.site, count.lock_address))
        .collect();
    places.sort_unstable();
    places.dedup();
    // Three locks at one site and one at another, by however many threads lived at the same time.
    assert_eq!(places.len(), 4);
    places.dedup_by_key(|(site, _)| *site);
    assert_eq!(places.len(), 2);
}

#[test]
fn waits_are_as_long_as_the_program_itself_found_them() {
    let recorded = run_recorded(&program("known_wait.c"), &["5", "20"]);
    let part = recorded.only_part();
    let waits: Vec<_> = counts_in(part, "known_wait_c")
        .into_iter()
        .filter(|count| count.kind == LockKind::Mutex)
        .filter_map(|count| count.contention.as_deref())
        .collect();
    let [wait] = waits[..] else {
        panic!("contended at {} sites", waits.len());
    };
    assert_eq!(wait.contended, 5);
    assert_eq!(wait.wait_histogram.iter().sum::<u64>(), 5);
    assert_eq!((wait.try_failed, wait.timed_out), (0, 0));

    let output = String::from_utf8(recorded.output.stdout.clone()).unwrap();
    let seen: Vec<u64> = output
        .split_whitespace()
        .map(|number| number.parse().unwrap())
        .collect();
    // Our clock readings lie within the program's, so what we see is no longer. A reading may be delayed by another
    // process on the machine, so how much shorter is not a matter of microseconds.
    assert!(wait.wait_total_ns <= seen[0], "{wait:?} {output}");
    assert!(wait.wait_max_ns <= seen[1], "{wait:?} {output}");
    assert!(wait.wait_total_ns >= seen[0] / 2, "{wait:?} {output}");
    assert!(wait.wait_max_ns >= wait.wait_total_ns / 5);
}

#[test]
fn the_total_of_short_waits_is_the_programs_own() {
    undisturbed(|times| {
        let recorded = run_recorded(
            &program("short_waits.c"),
            &["mutex", "20000", "500", "1", "once"],
        );
        let answers = Answers::of(&recorded.output.stdout);
        let [known, own_ns] = answers.numbers("waited")[..] else {
            panic!("{:?}", recorded.output);
        };
        let counts = counts_in(recorded.only_part(), "short_waits_c").into_iter();
        let waits = counts.filter_map(|count| count.contention.as_deref());
        let (mut contended, mut total_ns) = (0, 0.0);
        for wait in waits {
            contended += wait.contended;
            total_ns += wait.wait_total_ns as f64;
        }
        let figures = || format!("{contended} of {known}, {total_ns} ns of {own_ns}");
        // The very first may take the recorder longer than the holder stays; and who loses the processor before the call waits for nothing.
        times.check(contended as f64 >= 0.95 * known, figures);
        // What recording adds to each of them counts for the program alone.
        let ratio = total_ns / own_ns;
        times.check((0.95..1.005).contains(&ratio), figures);
    });
}

#[test]
fn waiting_for_a_condition_is_an_acquisition_and_never_contention() {
    let recorded = compare(&program("condition.c"), &[]);
    let part = recorded.only_part();
    let relocks: Vec<_> = counts_in(part, "condition_c")
        .into_iter()
        .filter(|count| count.entry == EntryPoint::ConditionWait)
        .collect();
    let output = String::from_utf8(recorded.output.stdout.clone()).unwrap();
    let waits: u64 = output
        .split([' ', ','])
        .nth(1)
        .and_then(|waits| waits.parse().ok())
        .unwrap();
    let acquisitions: u64 = relocks.iter().map(|count| count.acquisitions).sum();
    // Those the program counted, and the two whose deadline had passed.
    assert_eq!(acquisitions, waits + 2);
    assert_eq!(relocks.len(), 3, "one site each");
    assert!(relocks.iter().all(|count| count.contention.is_none()));
}

#[test]
fn locks_taken_before_and_after_main_are_counted() {
    let recorded = compare(&program("constructors.c"), &[]);
    assert_eq!(acquisitions_in(recorded.only_part(), "constructors_c"), 6);
}

#[test]
fn threads_one_after_another_are_counted_to_their_very_end_and_share_the_room() {
    let recorded = compare(&program("successive_threads.c"), &["10000"]);
    let part = recorded.only_part();
    assert_eq!(acquisitions_in(part, "successive_threads_c"), 20_000);
    assert_eq!(
        part.threads.len(),
        10_001,
        "main takes no lock, but is seen"
    );
    let ended = part.threads.iter().filter(|it| it.end_ns.is_some());
    assert_eq!(ended.count(), 10_000);
    let started = part.threads.iter().filter(|it| it.start_routine.is_some());
    assert_eq!(started.count(), 10_000);
    // A record of each life, and next to nothing else.
    assert!(
        recorded.bytes < 10_000 * 128 * 2,
        "{} bytes",
        recorded.bytes
    );
}

#[test]
fn two_thousand_threads_at_once_are_counted() {
    let recorded = compare(&program("successive_threads.c"), &["2000", "2000"]);
    let part = recorded.only_part();
    assert_eq!(acquisitions_in(part, "successive_threads_c"), 4_000);
    assert_eq!(part.threads.len(), 2_001);
}

#[test]
fn locks_alive_are_kept_apart_in_little_memory() {
    let locks = 200_000;
    let recorded = run_recorded(&program("locks_alive.c"), &[&locks.to_string(), "2"]);
    let part = recorded.only_part();
    let counted = by_lock(part, "locks_alive_c");
    assert_eq!(counted.len(), locks);
    assert!(counted.values().all(|&acquisitions| acquisitions == 2));
    let stderr = String::from_utf8(recorded.output.stderr.clone()).unwrap();
    let gained_bytes = 1024 * stderr.trim().parse::<usize>().unwrap();
    assert!(
        gained_bytes <= 64 * locks,
        "{} bytes a lock",
        gained_bytes / locks
    );
}
