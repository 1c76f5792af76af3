//! What `locktoll record --alert` costs the program, compared with `record` alone: in turns, with `record` alone twice.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use locktoll_lab::stats::{estimate, ratio_of_pairs};

use super::build;

/// The pairs of acquisition and release of each thread.
const PAIRS: &str = "20000000";
/// A watchdog that checks the program every 2.5 ms.
const ALERTS: [&str; 4] = ["--alert", "hold>10ms", "--alert", "wait>10ms"];

/// Runs each way `rounds` times.
pub fn run(rounds: usize) -> anyhow::Result<()> {
    ensure!(rounds >= 6, "an interval of 95 % takes 6 rounds or more");
    let folder = tempfile::tempdir()?;
    let program = build::c_program("tests/programs/pair_cost.c", folder.path())?;
    let locktoll = build::locktoll()?;
    let one = |alerts: &[&str]| pair_ns(&locktoll, &program, folder.path(), alerts);
    let (mut with, mut again) = (Vec::new(), Vec::new());
    let mut alone = Vec::new();
    for round in 0..rounds {
        // Each way is the first in a third of the rounds.
        let mut taken = [0.0; 3];
        for turn in 0..3 {
            let way = (round + turn) % 3;
            taken[way] = one(if way == 2 { &ALERTS } else { &[] })?;
        }
        alone.push(taken[0]);
        again.push((taken[0], taken[1]));
        with.push((taken[0], taken[2]));
    }
    let each = estimate(&alone).context("no figure")?;
    println!(
        "two threads, each with a mutex of its own, under `record`: {:.2} ns of CPU time per acquisition and release, {:.0} million per second and thread; {rounds} rounds",
        each.median,
        1e3 / each.median
    );
    for (name, pairs) in [(ALERTS.join(" "), &with), ("A/A pair".to_owned(), &again)] {
        let ratio = ratio_of_pairs(pairs).context("no round gave two figures")?;
        println!(
            "  {name}: {:.4} ({:.4} .. {:.4}), {:+.2} ns",
            ratio.median,
            ratio.low,
            ratio.high,
            (ratio.median - 1.0) * each.median
        );
    }
    Ok(())
}

/// The CPU time of an acquisition and release in one run, by the slower thread.
fn pair_ns(locktoll: &Path, program: &Path, folder: &Path, alerts: &[&str]) -> anyhow::Result<f64> {
    let output = Command::new(locktoll)
        .args(["record", "--quiet", "--spin", "off", "-o"])
        .arg(folder.join("out.locktoll"))
        .args(alerts)
        .arg("--")
        .arg(program)
        .args(["2", "1", PAIRS])
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    said.trim()
        .parse()
        .with_context(|| format!("{said}{}", String::from_utf8_lossy(&output.stderr)))
}
