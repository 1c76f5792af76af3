//! Invented runs, for tests.

use locktoll_lab::cell::{Calibration, Cell, Length, Slice};
use locktoll_lab::runner::Samples;

use super::bench_run::BenchRun;
use super::description::{CheckDescription, Description, Run, parse};
use super::evidence::{Evidence, Gathered};

/// A cell with its time per operation in each round.
pub struct MadeUp<'a> {
    pub lock: &'a str,
    pub threads: u32,
    pub ns: Vec<f64>,
}

/// Makes a bench run of such cells; `again` are the times of second slices of the first cell.
pub fn evidence(cells: &[MadeUp<'_>], again: Option<&[f64]>) -> Evidence {
    evidence_with_loop(cells, again, 0.0)
}

/// The same with an empty loop of `empty_ns` nanoseconds in each round.
pub fn evidence_with_loop(cells: &[MadeUp<'_>], again: Option<&[f64]>, empty_ns: f64) -> Evidence {
    let described = |cell: &MadeUp<'_>| {
        Cell::at_rest(
            cell.lock,
            Length::Time { ns: 1 },
            Calibration { loops_per_ns: 1.0 },
        )
        .with(|knobs| {
            knobs.threads = cell.threads;
        })
    };
    let samples = |cell: &MadeUp<'_>| Samples {
        throughput: cell
            .ns
            .iter()
            .map(|ns| (slice(*ns, cell.threads), Some(empty_ns)))
            .collect(),
        ..Samples::default()
    };
    let run = Run {
        name: None,
        bench: Some(String::new()),
        live: None,
        kernel: None,
        guest: None,
        machine: None,
    };
    let mut all: Vec<Samples> = cells.iter().map(samples).collect();
    if let (Some(first), Some(again)) = (all.first_mut(), again) {
        let threads = cells[0].threads;
        first.again = again.iter().map(|ns| slice(*ns, threads)).collect();
    }
    let gathered = BenchRun {
        cells: cells.iter().map(described).collect(),
        samples: all,
    };
    Evidence {
        runs: vec![(run, Ok(Gathered::Bench(gathered)))],
        cpus: 2,
        look: locktoll_lab::stats::Look::Only,
    }
}

/// Makes a slice with `ns` nanoseconds per operation, to a millionth.
fn slice(ns: f64, threads: u32) -> Slice {
    let each: u32 = 1_000_000;
    Slice {
        wall_ns: (ns * f64::from(each) * f64::from(threads)).round() as u64,
        operations: vec![u64::from(each); threads as usize],
        ..Slice::default()
    }
}

/// Returns a description with the check in `text`.
pub fn described(text: &str) -> Description {
    let head = "id = \"Z1\"\ntitle = \"t\"\nclaim = \"c\"\nseconds = 1\n[source]\narticle = \"a\"\nyear = 1998\nmachine = \"m\"\n\
                [means]\nholds = \"Yes.\"\ndoes_not_hold = \"No.\"\n[[run]]\nbench = \"\"\n[[check]]\nwhat = \"w\"\n";
    parse("made-up", &format!("{head}{text}")).expect("a made-up description is right")
}

/// Returns the check in `text`.
pub fn check(text: &str) -> CheckDescription {
    described(text).checks.remove(0)
}
