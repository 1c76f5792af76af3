//! Every workload counts exactly its operations, if the number is known.

use super::{Good, cell, slice};
use crate::cell::{Cell, Length, Part};
use crate::workload::Kind;

const THREADS: u32 = 4;
const EACH: u64 = 500;

/// More than the handles that WaitForMultipleObjects takes, so that the test would detect a start or an end that waits for
/// threads with it.
const MANY: u32 = 100;

#[test]
fn a_hundred_threads_begin_and_end_together() {
    for part in [Part::Throughput, Part::Waiting] {
        let slice = slice::<Good>(&Cell {
            part,
            ..cell(Kind::Pair, MANY).with(|knobs| {
                knobs.length = Length::Rounds { each: 50 };
            })
        });
        assert_eq!(slice.operations, [50; MANY as usize]);
        assert_eq!(slice.cut_off, None);
        assert_eq!(slice.exclusion_broken, None);
        let used = slice.resources.expect("all threads ended");
        assert_eq!(used.operations, 50 * u64::from(MANY));
    }
}

#[test]
fn every_workload_counts_its_rounds_and_sees_a_good_lock_exclude() {
    for workload in Kind::ALL {
        for part in [Part::Throughput, Part::Waiting] {
            let slice = slice::<Good>(&Cell {
                part,
                ..cell(workload, THREADS).with(|knobs| {
                    knobs.length = Length::Rounds { each: EACH };
                })
            });
            assert_eq!(slice.total(), u64::from(THREADS) * EACH, "{workload:?}");
            assert_eq!(slice.exclusion_broken, None, "{workload:?}");
            assert_eq!(slice.cut_off, None, "{workload:?}");
            assert_eq!(slice.acquire.is_some(), part == Part::Waiting);
            let used = slice.resources.expect("all threads ended");
            assert!(used.operations >= slice.total(), "{workload:?}");
        }
    }
}
