//! Does the measured loop agree with a plain C loop over the same lock?

use std::path::Path;
use std::process::Command;

use anyhow::{Context, ensure};
use locktoll_lab::stats::{Estimate, estimate, ratio_of_pairs};

use super::build;

/// Largest departure from 1 that counts as agreement.
const TOLERANCE: f64 = 0.05;

/// Runs both in turn, `rounds` times, and prints the ratio of each round's figures.
pub fn run(rounds: usize) -> anyhow::Result<()> {
    ensure!(rounds >= 6, "an interval of 95 % takes 6 rounds or more");
    let folder = tempfile::tempdir()?;
    let c_loop = build::c_program("tests/programs/pthread_pair.c", folder.path())?;
    let locktoll = build::locktoll()?;
    let mut pairs = Vec::new();
    for round in 0..rounds {
        // Whoever goes first may find the machine in another state: take turns.
        pairs.push(if round % 2 == 0 {
            let c = c_ns(&c_loop)?;
            (c, bench_ns(&locktoll)?)
        } else {
            let bench = bench_ns(&locktoll)?;
            (c_ns(&c_loop)?, bench)
        });
    }
    let (c, bench): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
    println!("one uncontended pair of a default pthread mutex, second thread alive:");
    println!("  plain C loop    {}", in_ns(estimate(&c))?);
    println!("  locktoll bench  {}", in_ns(estimate(&bench))?);
    let ratio = ratio_of_pairs(&pairs).context("no round gave two figures")?;
    println!(
        "  bench over C    {:.3} ({:.3} .. {:.3}), {} rounds",
        ratio.median, ratio.low, ratio.high, ratio.n
    );
    ensure!(
        (ratio.median - 1.0).abs() <= TOLERANCE,
        "they differ by more than {} %",
        TOLERANCE * 100.0
    );
    Ok(())
}

fn in_ns(figure: Option<Estimate>) -> anyhow::Result<String> {
    let figure = figure.context("no figures")?;
    let Estimate {
        median, low, high, ..
    } = figure;
    Ok(format!("{median:.2} ns ({low:.2} .. {high:.2})"))
}

/// The C loop's figure: the median of a few of its own rounds.
fn c_ns(program: &Path) -> anyhow::Result<f64> {
    let output = Command::new(program).args(["5", "2000000"]).output()?;
    ensure!(output.status.success(), "the C loop failed");
    let figures = String::from_utf8(output.stdout)?
        .lines()
        .map(str::parse)
        .collect::<Result<Vec<f64>, _>>()?;
    Ok(estimate(&figures)
        .context("the C loop printed nothing")?
        .median)
}

/// The figure of `locktoll bench`.
fn bench_ns(program: &Path) -> anyhow::Result<f64> {
    let output = Command::new(program)
        .args([
            "bench",
            "--json",
            "--lock=pthread",
            "--threads=1",
            "--workload=pair",
        ])
        .args(["--duration=40ms", "--repeat=5"])
        .output()?;
    ensure!(output.status.success(), "locktoll bench failed");
    let document: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    document["cells"][0]["ns_per_op"]["median"]
        .as_f64()
        .context("locktoll bench gave no figure")
}
