//! Hold times, compared with the program's own measurement.

use crate::answers::{Answers, Times, undisturbed};
use crate::names::Names;
use crate::support::{Recorded, program, run_recorded_env};

const NAMES: [&str; 11] = [
    "few",
    "brief",
    "patterned",
    "over_wait",
    "recursive",
    "tried",
    "timed",
    "crossed_a",
    "crossed_b",
    "hand",
    "deep",
];

/// What the program knows of a mutex, or of all mutexes of an array.
struct Known {
    inner_ns: f64,
    outer_ns: f64,
    holds: f64,
    longest_ns: f64,
}

struct Found {
    total_ns: f64,
    timed: f64,
}

fn known_and_found(mode: &str) -> Vec<(&'static str, Known, Found)> {
    let program = program("known_holds.c");
    let recorded: Recorded = run_recorded_env(&program, &[], &[("LOCKTOLL_MODE", mode)]);
    assert!(recorded.output.status.success());
    let answers = Answers::of(&recorded.output.stdout);
    let symbols = Names::of(&program);
    let part = recorded.only_part();
    let one = |name| {
        let numbers = answers.numbers(name);
        let of_lock = part
            .holds
            .iter()
            .filter(|hold| symbols.symbol(part, hold.key.lock_address) == Some(name));
        let mut found = Found {
            total_ns: 0.0,
            timed: 0.0,
        };
        for hold in of_lock {
            found.total_ns += hold.estimated_total_ns as f64;
            found.timed += hold.timed as f64;
            assert!(hold.max_ns <= hold.timed_total_ns);
            assert_eq!(hold.hold_histogram.iter().sum::<u64>(), hold.timed);
        }
        let known = Known {
            inner_ns: numbers[0],
            outer_ns: numbers[1],
            holds: numbers[2],
            longest_ns: numbers[3],
        };
        (name, known, found)
    };
    NAMES.into_iter().map(one).collect()
}

#[test]
fn all_of_them_timed_are_as_long_as_the_program_found_them() {
    undisturbed(|times| {
        for (name, known, found) in known_and_found("exact") {
            if name == "deep" {
                check_deep(times, &known, &found);
                continue;
            }
            times.between(name, found.total_ns, known.inner_ns, known.outer_ns);
            // An acquisition by a thread that has the mutex already is no hold of its own.
            assert_eq!(found.timed, known.holds, "{name}");
        }
    });
}

/// Of more than 64 locks held at once, the first 64 are followed; the others are counted, but not timed.
fn check_deep(times: &mut Times, known: &Known, found: &Found) {
    assert!(found.timed >= 64.0 && found.timed <= known.holds);
    // Not more than they were held; how much less is a matter of which of them were interrupted. While only those are left
    // that are not followed, a long interruption counts for the program alone.
    let is_right = found.total_ns > 0.5 * known.inner_ns && found.total_ns < 1.02 * known.outer_ns;
    times.check(is_right, || {
        let Known {
            inner_ns, outer_ns, ..
        } = known;
        format!("deep: {} of {inner_ns} .. {outer_ns}", found.total_ns)
    });
}

/// A brief hold longer than this was interrupted by somebody.
const UNDISTURBED_NS: f64 = 60_000.0;

#[test]
fn a_sample_of_them_tells_the_same() {
    let mut wrong = Vec::new();
    for _ in 0..5 {
        let (mut quiet, mut times) = (false, Times::default());
        for (name, known, found) in known_and_found("sampled") {
            assert!(found.timed > 0.0 && found.timed <= known.holds, "{name}");
            match name {
                // A program that interrupts one of them in a hundred thousand for a time slice changes their sum by a tenth,
                // and no sample can know. The sum is looked at where nobody did.
                "brief" | "patterned" if known.longest_ns > UNDISTURBED_NS => {}
                "brief" => {
                    quiet = true;
                    times.between(name, found.total_ns, known.inner_ns, known.outer_ns);
                    assert!(
                        found.timed < known.holds / 2.0,
                        "this is meant to be a sample"
                    );
                }
                // One in 64 is a hundred times as long as the others: a sample that counts along finds all of them or
                // none.
                "patterned" => assert!(
                    found.total_ns > known.inner_ns / 2.0 && found.total_ns < known.outer_ns * 2.0,
                    "{}",
                    found.total_ns
                ),
                "deep" => check_deep(&mut times, &known, &found),
                // Long ones are all timed.
                _ => times.between(name, found.total_ns, known.inner_ns, known.outer_ns),
            }
        }
        if quiet && times.wrong().is_empty() {
            return;
        }
        wrong.push(times);
    }
    assert!(
        wrong.iter().any(|times| times.wrong().is_empty()),
        "{:?}",
        wrong[0].wrong()
    );
    locktoll_needs::refused("the machine was never quiet for as long as brief holds take");
}
