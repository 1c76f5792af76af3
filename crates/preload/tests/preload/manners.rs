//! The program does not notice the recorder.

use locktoll_recording::layout::EntryPoint;
use locktoll_recording::reader::Count;

use crate::support::{
    LIBRARY, acquisitions_in, assert_same, command, compare, counts_in, program, program_with,
    run_bare, run_recorded_with,
};

#[test]
fn every_type_of_mutex_returns_what_it_returns_without_us() {
    let recorded = compare(&program("return_codes.c"), &[]);
    let output = String::from_utf8_lossy(&recorded.output.stdout);
    assert!(output.contains("owner died"), "{output}");
    assert!(!output.contains("errno changed"), "{output}");
}

#[test]
fn failed_attempts_and_deadlines_are_told_from_acquisitions() {
    let recorded = compare(&program("return_codes.c"), &[]);
    let parent = recorded
        .recordings
        .iter()
        .flat_map(|recording| &recording.parts)
        .max_by_key(|part| part.counts.len())
        .unwrap();
    let counts = counts_in(parent, "return_codes_c");
    let contention = |entry| {
        let of_entry = counts.iter().filter(move |count| count.entry == entry);
        of_entry.filter_map(|count| count.contention.as_deref())
    };
    let try_failed: u64 = contention(EntryPoint::TryLock)
        .map(|it| it.try_failed)
        .sum();
    let timed_out: u64 = contention(EntryPoint::TimedLock)
        .map(|it| it.timed_out)
        .sum();
    // Counted in the program's output: attempts that returned EBUSY, and deadlines that returned ETIMEDOUT.
    let output = String::from_utf8_lossy(&recorded.output.stdout);
    let lines = |call: &str, result: i32| {
        let ends = |line: &&str| {
            line.contains(call) && line.split_whitespace().last() == Some(&result.to_string())
        };
        output.lines().filter(ends).count() as u64
    };
    assert_eq!(try_failed, lines("trylock", libc::EBUSY));
    assert_eq!(
        timed_out,
        lines("timedlock", libc::ETIMEDOUT) + lines("clocklock", libc::ETIMEDOUT)
    );
    assert!(try_failed > 0 && timed_out > 0);
}

#[test]
fn a_library_loaded_later_is_a_module_of_its_own() {
    let plugin = program_with("plugin.c", &["-shared", "-fPIC"]);
    let recorded = compare(&program("plugin_host.c"), &[plugin.to_str().unwrap()]);
    assert_eq!(acquisitions_in(recorded.only_part(), "plugin_c"), 86);
}

#[test]
fn another_preloaded_library_is_still_called() {
    let other = program_with("other_preload.c", &["-shared", "-fPIC"]);
    let pairs = program("pairs.c");
    let bare = command(&pairs).env("LD_PRELOAD", &other).output().unwrap();
    let recorded = run_recorded_with(&pairs, &[], &[&other]);
    assert_eq!(bare.stdout, recorded.output.stdout);
    assert_eq!(acquisitions_in(recorded.only_part(), "pairs_c"), 2_020);
}

#[test]
fn a_preloaded_clock_that_takes_a_mutex_is_not_ours() {
    let other = program_with("other_clock.c", &["-shared", "-fPIC"]);
    let recorded = run_recorded_with(&program("pairs.c"), &[], &[&other]);
    assert!(recorded.output.status.success());
    assert_eq!(acquisitions_in(recorded.only_part(), "pairs_c"), 2_020);
    // Called by us, it would have been counted.
    assert_eq!(acquisitions_in(recorded.only_part(), "other_clock_c"), 0);
}

#[test]
fn libraries_may_be_unloaded_while_the_recorder_looks_for_them() {
    const PLACES: u64 = 40_000;
    let plugin = program_with("plugin.c", &["-shared", "-fPIC"]);
    let churn = program("plugin_churn.c");
    for _ in 0..5 {
        let recorded = compare(&churn, &[plugin.to_str().unwrap(), &PLACES.to_string()]);
        let part = recorded.only_part();
        // By the lock, which is the program's: the places are in no file, and so may be those in the library.
        let of_program = |count: &&Count| {
            let module = part.elf_address(count.lock_address);
            module.is_some_and(|(module, _)| module.path.ends_with("plugin_churn_c"))
        };
        let counts = part.counts.iter().filter(of_program);
        assert_eq!(counts.map(|count| count.acquisitions).sum::<u64>(), PLACES);
    }
}

#[test]
fn without_a_directory_nothing_is_recorded_or_said() {
    let pairs = program("pairs.c");
    let output = command(&pairs)
        .env("LD_PRELOAD", &*LIBRARY)
        .env_remove("LOCKTOLL_PARTS")
        .output()
        .unwrap();
    assert_same(&run_bare(&pairs, &[]), &output);
}

#[test]
fn a_signal_handler_that_interrupts_the_recorder_is_counted_too() {
    let recorded = run_recorded_with(&program("interrupted.c"), &["100000"], &[]);
    assert!(
        recorded.output.status.success(),
        "{:?}",
        recorded.output.status
    );
    let handled = String::from_utf8_lossy(&recorded.output.stdout);
    let handled: u64 = handled.trim().parse().unwrap();
    let all = acquisitions_in(recorded.only_part(), "interrupted_c");
    assert_eq!(all, 100_000 + handled);
}
