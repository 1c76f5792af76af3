//! Tests of Windows' locks in the measured loop: they count right, and TimeMutex's parameters act on them.

use crate::cell::{Calibration, Cell, Length, Part, SleepPoints};
use crate::contender::{Entry, Family, find, registry};
use crate::processors;
use crate::workload::Kind;

const THREADS: u32 = 3;
/// Few, since a waiter of `spin-sleep1` may sleep for 15 ms.
const ROUNDS: u64 = 40;

fn cell(lock: &str) -> Cell {
    let calibration = Calibration { loops_per_ns: 1.0 };
    Cell {
        threads: THREADS,
        ..Cell::at_rest(lock, Length::Rounds { each: ROUNDS }, calibration)
    }
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
        let counter = Cell {
            workload: Kind::Counter,
            ..cell(entry.name)
        };
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
    // Which 1, 2 and 3.
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
            let parameters = Cell {
                workload: Kind::Timemutex,
                nested,
                depth,
                delay: 3,
                active,
                sleep_points,
                ..cell(lock)
            };
            runs_whole(entry, &parameters);
        }
    }
}

#[test]
fn the_spin_option_reaches_the_critical_section() {
    let too_far = Cell {
        spin: Some(u32::MAX),
        ..cell("critical-section")
    };
    let error = (find("critical-section").unwrap().run)(&too_far).unwrap_err();
    assert!(error.to_string().contains("4294967295"), "{error}");
    // One whose count is in its name does not listen.
    let named = Cell {
        lock: "critical-section-spin0".to_owned(),
        ..too_far
    };
    runs_whole(find("critical-section-spin0").unwrap(), &named);
}
