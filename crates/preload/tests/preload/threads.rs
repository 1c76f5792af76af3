//! Threads are identified by the functions that they run, and by their actions while they hold locks.

use locktoll_recording::layout::call_name;
use locktoll_recording::reader::{Part, Thread};

use crate::names::Names;
use crate::support::{program, run_recorded};

/// The function that a thread was started with.
fn routine<'n>(part: &Part, names: &'n Names, thread: &Thread) -> Option<&'n str> {
    let site = &part.sites[thread.start_routine?];
    // Unlike a call's, the address is the function's own.
    names.symbol(part, site.address)
}

#[test]
fn each_thread_is_known_by_its_routine_and_its_last_name() {
    let program = program("known_threads.c");
    let recorded = run_recorded(&program, &[]);
    let (names, part) = (Names::of(&program), recorded.only_part());
    let mut threads: Vec<_> = part
        .threads
        .iter()
        .map(|thread| (routine(part, &names, thread), thread.name.as_str()))
        .collect();
    threads.sort_unstable();
    assert_eq!(
        threads,
        [
            (None, "known_threads_c"),
            (Some("sleep_only"), "known_threads_c"),
            (Some("spin"), "renamed"),
            (Some("wait_for_condition"), "late"),
            (Some("wait_for_mutex"), "early"),
        ]
    );
}

#[test]
fn system_calls_are_noted_while_a_lock_is_held_and_at_no_other_time() {
    let program = program("while_held.c");
    let recorded = run_recorded(&program, &[]);
    let (names, part) = (Names::of(&program), recorded.only_part());
    let calls = |name| -> u64 {
        let of_lock = part
            .holds
            .iter()
            .filter(|hold| names.symbol(part, hold.key.lock_address) == Some(name));
        of_lock.map(|hold| hold.system_calls).sum()
    };
    assert_eq!(calls("asleep"), 20);
    assert_eq!(calls("reading"), 40);
    assert_eq!(calls("computing"), 0);
    assert_eq!(calls("calling"), 0, "none of these may block");
    // Each that returned is known by its name and its time.
    let named = |name: &str, call: &str| -> (u64, u64) {
        let of_lock = part
            .holds
            .iter()
            .filter(|hold| names.symbol(part, hold.key.lock_address) == Some(name));
        let calls = of_lock
            .flat_map(|hold| &hold.calls)
            .filter(|it| call_name(it.number) == Some(call));
        calls.fold((0, 0), |sum, it| (sum.0 + it.count, sum.1 + it.total_ns))
    };
    let (sleeps, slept_ns) = ["nanosleep", "clock_nanosleep"]
        .map(|call| named("asleep", call))
        .into_iter()
        .fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    assert_eq!(sleeps, 20);
    assert!(slept_ns >= 20 * 1_000_000, "{slept_ns}");
    assert_eq!(
        (named("reading", "write").0, named("reading", "read").0),
        (20, 20)
    );
    assert_eq!(named("computing", "read"), (0, 0));
}
