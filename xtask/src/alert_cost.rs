//! What `--alert` costs the program under `locktoll record` and `attach`, compared with the same verb without it: in turns, with the
//! latter twice.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use locktoll_lab::stats::{estimate, ratio_of_pairs};

use super::build;

/// A watchdog that checks the program every 2.5 ms.
const ALERTS: [&str; 4] = ["--alert", "hold>10ms", "--alert", "wait>10ms"];

/// A verb that watches a program.
#[derive(Clone, Copy)]
enum Verb {
    Record,
    Attach,
}

impl Verb {
    fn name(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Attach => "attach",
        }
    }

    /// The pairs of acquisition and release of each thread. `attach` takes about a second until it watches.
    fn pairs(self) -> &'static str {
        match self {
            Self::Record => "20000000",
            Self::Attach => "300000000",
        }
    }
}

/// Runs each way `rounds` times.
pub fn run(rounds: usize) -> anyhow::Result<()> {
    ensure!(rounds >= 6, "an interval of 95 % takes 6 rounds or more");
    let folder = tempfile::tempdir()?;
    let program = build::c_program("tests/programs/pair_cost.c", folder.path())?;
    let locktoll = build::locktoll()?;
    for verb in [Verb::Record, Verb::Attach] {
        compare(verb, rounds, |alerts| match verb {
            Verb::Record => recorded_ns(&locktoll, &program, folder.path(), alerts),
            Verb::Attach => attached_ns(&locktoll, &program, folder.path(), alerts),
        })?;
    }
    Ok(())
}

fn compare(
    verb: Verb,
    rounds: usize,
    one: impl Fn(&[&str]) -> anyhow::Result<f64>,
) -> anyhow::Result<()> {
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
        "two threads, each with a mutex of its own, under `{}`: {:.2} ns of CPU time per acquisition and release, {:.0} million per second and thread; {rounds} rounds",
        verb.name(),
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

/// The CPU time of an acquisition and release in one recorded run, by the slower thread.
fn recorded_ns(
    locktoll: &Path,
    program: &Path,
    folder: &Path,
    alerts: &[&str],
) -> anyhow::Result<f64> {
    let output = Command::new(locktoll)
        .args(["record", "--quiet", "-o"])
        .arg(folder.join("out.locktoll"))
        .args(alerts)
        .arg("--")
        .arg(program)
        .args(["2", "1", Verb::Record.pairs()])
        .output()?;
    figure(&output.stdout, &output.stderr)
}

/// The same in a run that `attach` watches until it ends.
fn attached_ns(
    locktoll: &Path,
    program: &Path,
    folder: &Path,
    alerts: &[&str],
) -> anyhow::Result<f64> {
    let program = Command::new(program)
        .args(["2", "1", Verb::Attach.pairs()])
        .stdout(Stdio::piped())
        .spawn()?;
    let watched = Command::new(locktoll)
        .args(["attach", &program.id().to_string(), "-o"])
        .arg(folder.join("out.json"))
        .args(alerts)
        .output()?;
    let output = program.wait_with_output()?;
    let said = String::from_utf8_lossy(&watched.stderr);
    ensure!(watched.status.success(), "attach failed: {said}");
    figure(&output.stdout, &watched.stderr)
}

fn figure(said: &[u8], errors: &[u8]) -> anyhow::Result<f64> {
    let said = String::from_utf8_lossy(said);
    said.trim()
        .parse()
        .with_context(|| format!("{said}{}", String::from_utf8_lossy(errors)))
}
