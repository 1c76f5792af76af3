//! Tests of Windows' locks in the measured loop: they count correctly, and TimeMutex's parameters have an effect.

use crate::cell::{Calibration, Cell, Length, Part, SleepPoints};
use crate::contender::{Entry, Family, find, registry};
use crate::processors;
use crate::workload::Kind;

const THREADS: u32 = 3;
/// Few, since a waiter of `spin-sleep1` may sleep for 15 ms.
const ROUNDS: u64 = 40;

fn cell(lock: &str) -> Cell {
    let calibration = Calibration { loops_per_ns: 1.0 };
    Cell::at_rest(lock, Length::Rounds { each: ROUNDS }, calibration).with(|knobs| {
        knobs.threads = THREADS;
    })
}

fn runs_whole(entry: &Entry, cell: &Cell) {
    let slice = (entry.run)(cell).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
    assert_eq!(
        slice.operations,
        vec![ROUNDS; THREADS as usize],
        "{}",
        entry.name
    );
    assert_eq!(
        (slice.cut_off, slice.exclusion_broken),
        (None, None),
        "{}",
        entry.name
    );
    if cell.part == Part::Waiting {
        let timed = slice.acquire.expect("a waiting slice").count();
        assert!(
            timed >= ROUNDS * u64::from(THREADS),
            "{}: {timed}",
            entry.name
        );
    }
}

#[test]
fn each_lock_counts_every_round_in_each_loop() {
    let _turn = processors::alone();
    let of_windows = |entry: &&Entry| matches!(entry.family, Family::Windows | Family::Kernel);
    let mut locks = 0;
    for entry in registry().iter().filter(of_windows) {
        locks += 1;
        let counter = cell(entry.name).with(|knobs| {
            knobs.workload = Kind::Counter;
        });
        runs_whole(entry, &counter);
        runs_whole(
            entry,
            &Cell {
                part: Part::Waiting,
                ..counter
            },
        );
    }
    assert_eq!(locks, 14);
}

#[test]
fn timemutex_runs_on_hart_s_own_locks() {
    let _turn = processors::alone();
    // His locks 1, 2 and 3.
    for (lock, nested) in [
        ("critical-section", false),
        ("critical-section", true),
        ("mutex", false),
    ] {
        let entry = find(lock).unwrap();
        for (depth, active, sleep_points) in [
            (1, None, SleepPoints::None),
            (5, Some(1), SleepPoints::Both),
            (0, Some(2), SleepPoints::Holding),
        ] {
            let parameters = cell(lock).with(|knobs| {
                knobs.workload = Kind::Timemutex;
                knobs.nested = nested;
                knobs.depth = depth;
                knobs.delay = 3;
                knobs.active = active;
                knobs.sleep_points = sleep_points;
            });
            runs_whole(entry, &parameters);
        }
    }
}

#[test]
fn the_spin_option_reaches_the_critical_section() {
    let too_far = cell("critical-section").with(|knobs| {
        knobs.spin = Some(u32::MAX);
    });
    let error = (find("critical-section").unwrap().run)(&too_far).unwrap_err();
    assert!(error.to_string().contains("4294967295"), "{error}");
    // A lock with the count in its name ignores the option.
    let named = too_far.with(|knobs| {
        knobs.lock = "critical-section:0".to_owned();
    });
    runs_whole(find("critical-section:0").unwrap(), &named);
}
