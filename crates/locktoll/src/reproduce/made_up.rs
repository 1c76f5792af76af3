//! Runs that never took place, for tests.

use locktoll_lab::cell::{Calibration, Cell, Length, Slice};
use locktoll_lab::runner::{Measured, Samples};
use locktoll_lab::stats::{Estimate, estimate};

use super::bench_run::BenchRun;
use super::description::{CheckDescription, Description, Run, parse};
use super::evidence::{Evidence, Gathered};

/// A cell with its time an operation in each round.
pub struct MadeUp<'a> {
    pub lock: &'a str,
    pub threads: u32,
    pub ns: Vec<f64>,
}

/// A bench run of such cells; `same` is the A/A pair of the first.
pub fn evidence(cells: &[MadeUp<'_>], same: Option<Estimate>) -> Evidence {
    let described = |cell: &MadeUp<'_>| Cell {
        threads: cell.threads,
        ..Cell::at_rest(
            cell.lock,
            Length::Time { ns: 1 },
            Calibration { loops_per_ns: 1.0 },
        )
    };
    let samples = |cell: &MadeUp<'_>| Samples {
        throughput: cell
            .ns
            .iter()
            .map(|ns| (slice(*ns, cell.threads), Some(0.0)))
            .collect(),
        ..Samples::default()
    };
    let run = Run {
        name: None,
        bench: Some(String::new()),
        live: None,
        machine: None,
    };
    let measured = Measured {
        samples: cells.iter().map(samples).collect(),
        empty_loop_ns: estimate(&[0.0]),
        same_again: same.map(|ratio| (0, ratio)).into_iter().collect(),
        partial: false,
    };
    let gathered = BenchRun {
        cells: cells.iter().map(described).collect(),
        measured,
    };
    Evidence {
        runs: vec![(run, Ok(Gathered::Bench(gathered)))],
        cpus: 2,
    }
}

/// A slice of so many nanoseconds an operation, to a millionth.
fn slice(ns: f64, threads: u32) -> Slice {
    let each: u32 = 1_000_000;
    Slice {
        wall_ns: (ns * f64::from(each) * f64::from(threads)).round() as u64,
        operations: vec![u64::from(each); threads as usize],
        ..Slice::default()
    }
}

/// A description with the check that `text` spells.
pub fn described(text: &str) -> Description {
    let head = "id = \"Z1\"\ntitle = \"t\"\nclaim = \"c\"\nseconds = 1\n[source]\narticle = \"a\"\nyear = 1998\nmachine = \"m\"\n\
                [[run]]\nbench = \"\"\n[[check]]\nwhat = \"w\"\n";
    parse("made-up", &format!("{head}{text}")).expect("a made-up description is right")
}

/// Its check.
pub fn check(text: &str) -> CheckDescription {
    described(text).checks.remove(0)
}
