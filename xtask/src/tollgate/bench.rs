//! Runs `locktoll bench` and takes what it measured.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use locktoll_lab::machine::Machine;
use locktoll_lab::runner::CellSummary;
use locktoll_lab::stats::Estimate;
use serde_json::Value;

use super::batch::Batch;
use super::measured::Measured;

/// What a run said beside its figures.
#[derive(Debug)]
pub struct Surroundings {
    /// Where it ran.
    pub machine: Machine,
    /// Share of the machine's CPU time that others used, or the hypervisor took.
    pub taken: f64,
    /// What was wrong with the machine, in words.
    pub warnings: Vec<String>,
}

/// Runs `batch` for `locks` and adds its cells to `measured`.
pub fn run(
    locktoll: &Path,
    batch: &Batch,
    locks: &[&str],
    measured: &mut Measured,
) -> anyhow::Result<Surroundings> {
    let words = batch.words(locks);
    let output = Command::new(locktoll)
        .args(&words)
        .stdin(Stdio::null())
        // Its progress bar, and its warnings.
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start locktoll")?;
    let failed = || format!("`locktoll {}` failed", words.join(" "));
    ensure!(output.status.success(), failed());
    let document: Value = serde_json::from_slice(&output.stdout).with_context(failed)?;
    take(&document, batch.is_waiting(), measured)
}

/// Takes the cells of a document of the schema `locktoll.bench/1`.
fn take(document: &Value, waiting: bool, measured: &mut Measured) -> anyhow::Result<Surroundings> {
    let cells: Vec<CellSummary> = serde_json::from_value(document["cells"].clone())?;
    for cell in &cells {
        ensure!(cell.rounds.is_some(), "a run without --samples");
        measured.add(cell, waiting);
    }
    let noise = &document["noise"];
    for pair in noise["same_lock_twice"].as_array().unwrap_or(&Vec::new()) {
        let ratio: Estimate = serde_json::from_value(pair["ratio"].clone())?;
        let index = pair["cell"]
            .as_u64()
            .and_then(|index| cells.get(index as usize));
        measured.add_same_twice(index.context("an A/A pair of no cell")?, ratio);
    }
    let share = |name: &str| noise[name].as_f64().unwrap_or(0.0);
    Ok(Surroundings {
        taken: share("other_load") + share("steal"),
        machine: serde_json::from_value(document["machine"].clone())?,
        warnings: serde_json::from_value(noise["warnings"].clone())?,
    })
}
