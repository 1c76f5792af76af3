//! What `locktoll record --timeline` costs an uncontended acquisition and release: all ways in turns, with the bare program twice.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use locktoll_lab::stats::{estimate, ratio_of_pairs};

use super::build;

/// The pairs of acquisition and release of each thread.
const PAIRS: &str = "5000000";

/// The ways: a name, and the flags of `record`; `None` for the bare program.
const WAYS: [(&str, Option<&[&str]>); 5] = [
    ("bare", None),
    ("bare again (A/A pair)", None),
    ("record", Some(&[])),
    ("record --timeline", Some(&["--timeline"])),
    (
        "record --timeline --timeline-of everything",
        Some(&["--timeline", "--timeline-of", "everything"]),
    ),
];

/// Runs each way `rounds` times. `locktoll` is the program, if it is built already.
pub fn run(rounds: usize, locktoll: Option<&str>) -> anyhow::Result<()> {
    ensure!(rounds >= 6, "an interval of 95 % takes 6 rounds or more");
    let folder = tempfile::tempdir()?;
    let program = build::c_program("tests/programs/pair_cost.c", folder.path())?;
    let locktoll = locktoll.map_or_else(build::locktoll, |it| Ok(PathBuf::from(it)))?;
    let mut taken: [Vec<f64>; WAYS.len()] = Default::default();
    for round in 0..rounds {
        // Each way is the first in a fifth of the rounds.
        for turn in 0..WAYS.len() {
            let way = (round + turn) % WAYS.len();
            taken[way].push(pair_ns(&locktoll, &program, folder.path(), WAYS[way].1)?);
        }
    }
    let bare = estimate(&taken[0]).context("no figure")?;
    println!(
        "two threads, each with a mutex of its own: CPU time per acquisition and release; {rounds} rounds\n  bare: {:.1} ns ({:.1} .. {:.1})",
        bare.median, bare.low, bare.high
    );
    for ((name, _), figures) in WAYS.iter().zip(&taken).skip(1) {
        let pairs: Vec<(f64, f64)> = taken[0]
            .iter()
            .copied()
            .zip(figures.iter().copied())
            .collect();
        let ratio = ratio_of_pairs(&pairs).context("no round gave two figures")?;
        let more: Vec<f64> = pairs.iter().map(|(bare, with)| with - bare).collect();
        let more = estimate(&more).context("no figure")?;
        println!(
            "  {name}: {:+.1} ns ({:+.1} .. {:+.1}), {:.2} times ({:.2} .. {:.2})",
            more.median, more.low, more.high, ratio.median, ratio.low, ratio.high
        );
    }
    println!("Goal: with everything kept, at most 25 ns more than bare");
    Ok(())
}

/// The CPU time of an acquisition and release in one run, by the slower thread.
fn pair_ns(
    locktoll: &Path,
    program: &Path,
    folder: &Path,
    record: Option<&[&str]>,
) -> anyhow::Result<f64> {
    let mut command = match record {
        Some(flags) => {
            let mut command = Command::new(locktoll);
            command.args(["record", "--quiet", "--spin", "off", "-o"]);
            command.arg(folder.join("out.locktoll")).args(flags);
            command.arg("--").arg(program);
            command
        }
        None => Command::new(program),
    };
    let output = command.args(["2", "1", PAIRS]).output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    said.trim()
        .parse()
        .with_context(|| format!("{said}{}", String::from_utf8_lossy(&output.stderr)))
}
