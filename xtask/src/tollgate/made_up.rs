//! The whole table from made-up numbers: what a reader sees, the same every time.

use std::time::Duration;

use locktoll_lab::cell::{Calibration, Cell as LabCell, Length, Slice, SwitchesAndCpu};
use locktoll_lab::runner::{CellSummary, RoundFigures, Samples};
use locktoll_lab::stats::Histogram;

use super::campaign::Campaign;
use super::cell::{self, Cell};
use super::group::Group;
use super::lines::rows_of;
use super::measured::Measured;
use super::page::page;
use super::row::{Field, Row};
use super::setting::Setting;
use super::verdict::Verdict;
use super::{document, remarks};

const FIELD: Field<'static> = Field {
    subject: "tollgate",
    peers: &["pthread", "parking_lot", "absl"],
};

/// Tollgate is ahead, but for long holds at 8 threads, where absl is 5 % faster, and for the CPU time there, which is absl's too.
/// `parking_lot` lets two threads in at once in one cell.
fn made_up(cells: &[Cell]) -> Measured {
    let mut measured = Measured::default();
    for setting in cells.iter().flat_map(|cell| &cell.settings) {
        for (place, lock) in ["tollgate", "pthread", "parking_lot", "absl"]
            .into_iter()
            .enumerate()
        {
            let factor = match (lock, setting.hold_ns > 0 && setting.threads == 8) {
                ("absl", true) => 0.95,
                ("absl", false) => 1.5,
                ("tollgate", _) => 1.0,
                _ => 1.2 + place as f64 / 2.0,
            };
            measured.add(&summarised(setting, lock, factor), setting.waiting);
        }
    }
    for name in ["condition/ping-pong", "condition/broadcast"] {
        let rounds =
            |lock: &str, ns: f64| (0..7).map(|round| Some(ns * noise(round, lock))).collect();
        measured.add_condition(name, "tollgate", rounds("tollgate", 7_500.0));
        measured.add_condition(name, "pthread", rounds("pthread", 7_500.0));
    }
    measured
}

/// Up to 30 %, common to all locks of a round, and up to 2 % of a lock's own.
fn noise(round: u32, lock: &str) -> f64 {
    let own = (round * 5 + lock.len() as u32) % 3;
    (1.0 + f64::from(round * 7 % 4) / 10.0) * (1.0 + f64::from(own) / 100.0)
}

fn summarised(setting: &Setting, lock: &str, factor: f64) -> CellSummary {
    let length = Length::Time { ns: 100_000_000 };
    let cell = LabCell {
        workload: setting.workload.parse().expect("the lab has it"),
        threads: setting.threads,
        think_ns: setting.think_ns,
        hold_ns: setting.hold_ns,
        hogs: setting.hogs,
        ..LabCell::at_rest(lock, length, Calibration { loops_per_ns: 1.0 })
    };
    let base_ns = 7.0 + setting.think_ns as f64 + setting.hold_ns as f64;
    let broken = lock == "parking_lot" && setting.threads == 16 && setting.workload == "list";
    let slices = (0..7).map(|round| {
        let operations = (1e8 / (base_ns * factor * noise(round, lock))) as u64;
        let mut acquire = Histogram::new();
        acquire.record((2e6 * factor) as u64);
        acquire.record((2.8e7 * factor.powi(3)) as u64);
        Slice {
            wall_ns: 100_000_000,
            operations: vec![operations],
            resources: Some(SwitchesAndCpu {
                operations,
                user_ns: Some((1e8 * factor) as u64),
                system_ns: Some(0),
                voluntary_switches: Some(0),
                involuntary_switches: Some(0),
            }),
            bystander_cpu_ns: (setting.hogs > 0).then_some(110_000_000),
            acquire: setting.waiting.then_some(acquire),
            exclusion_broken: broken.then(|| "counted 7 where 8 were expected".to_owned()),
            ..Slice::default()
        }
    });
    let mut samples = Samples::default();
    for slice in slices {
        match setting.waiting {
            true => samples.waiting.push(slice),
            false => samples.throughput.push((slice, None)),
        }
    }
    CellSummary {
        rounds: Some(RoundFigures::of(&cell, &samples)),
        ..CellSummary::of(&cell, &samples)
    }
}

fn campaign(cells: &[Cell]) -> Campaign {
    Campaign {
        measured: made_up(cells),
        warnings: vec!["holds: other processes used 2.0 % of the machine's CPU time".to_owned()],
        taken: 0.054,
        took: Duration::from_secs(1234),
        ..Campaign::default()
    }
}

fn all_rows(cells: &[Cell]) -> Vec<Row> {
    page(&campaign(cells), cells, FIELD, &[]).1
}

#[test]
fn the_table_as_a_reader_sees_it() {
    let cells = cell::all(true);
    let missing = ["without nsync: libnsync-dev is not installed".to_owned()];
    let (page, _) = page(&campaign(&cells), &cells, FIELD, &missing);
    insta::assert_snapshot!(page);
}

#[test]
fn what_is_lost_is_lost_by_what_it_is() {
    for row in &all_rows(&cell::all(true)) {
        let is_lost = row.group == Group::Holds && row.title.contains("8 threads");
        let is_even = row.group == Group::Condition;
        match row.verdict {
            Verdict::Lost { by } => {
                assert!(is_lost, "{}: {by}", row.title);
                // CPU: 0.95 squared, where at least 1 was wanted. Time: 0.95, where within 3 % was.
                let cpu = row.title.contains("CPU");
                let expected = if cpu {
                    1.0 - 0.95 * 0.95
                } else {
                    1.0 - 0.95 * 1.03
                };
                assert!((by - expected).abs() < 0.011, "{}: {by}", row.title);
            }
            Verdict::RatherLost { .. } | Verdict::RatherReached => {
                assert!(is_even, "{}", row.title)
            }
            Verdict::Reached | Verdict::None => assert!(!is_lost && !is_even, "{}", row.title),
            Verdict::Failed => panic!("{}", row.title),
        }
    }
}

#[test]
fn a_peer_that_is_broken_is_no_best_peer_and_is_named() {
    let cells: Vec<Cell> = cell::all(false)
        .into_iter()
        .filter(|cell| cell.name == "no-think/list/16")
        .collect();
    let measured = made_up(&cells);
    let row = &rows_of(&cells[0], &measured, FIELD)[0];
    let broken = row
        .all
        .iter()
        .find(|standing| standing.lock == "parking_lot")
        .unwrap();
    assert_eq!(broken.figure, None);
    let cells: Vec<&Cell> = cells.iter().collect();
    let lines = remarks::remarks(&cells, &measured, FIELD);
    assert!(
        lines[0].contains("parking_lot let two threads in at once"),
        "{lines:?}"
    );
}

#[test]
fn a_subject_without_figures_loses() {
    let field = Field {
        subject: "not measured",
        ..FIELD
    };
    let cells = cell::all(true);
    let measured = made_up(&cells);
    for cell in &cells {
        for row in rows_of(cell, &measured, field) {
            assert_eq!(row.verdict, Verdict::Failed, "{}", row.title);
        }
    }
}

#[test]
fn the_document_has_a_ratio_against_every_peer() {
    let rows = all_rows(&cell::all(true));
    let document = document::document(FIELD, true, &campaign(&cell::all(true)), &rows);
    assert_eq!(document["schema"], "locktoll.tollgate/1");
    let listed = document["rows"].as_array().unwrap();
    assert_eq!(listed.len(), rows.len());
    let one = listed
        .iter()
        .find(|row| row["cell"] == "no-think/list/8")
        .unwrap();
    assert_eq!(one["peer"], "absl");
    for lock in one["locks"].as_array().unwrap() {
        assert!(
            lock["over_subject"]["median"].as_f64() >= Some(1.0),
            "{lock}"
        );
        assert_eq!(lock["over_subject"]["n"], 7);
    }
    assert_eq!(one["verdict"], "reached");
    assert_eq!(one["at_least"], 1.0);
}
