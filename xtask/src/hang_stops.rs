//! How long `locktoll hang` stops the threads of a process, measured by these threads themselves.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};

use super::build;

/// Examines a program of `threads` threads that run, and `sleeping` that sleep, `times` times.
pub fn run(threads: usize, sleeping: usize, times: usize) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let program = build::c_program("tests/programs/stops.c", folder.path())?;
    let locktoll = build::locktoll()?;
    let mut subject = Command::new(program)
        .args([threads.to_string(), sleeping.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let input = subject.stdin.take().context("no pipe")?;
    let mut output = BufReader::new(subject.stdout.take().context("no pipe")?);
    let mut line = String::new();
    output.read_line(&mut line)?;
    ensure!(line == "ready\n", "the program has ended");
    let (mut reported, mut durations) = (Vec::new(), Vec::new());
    for _ in 0..times {
        let look = Command::new(&locktoll)
            .args(["hang", "--json", &subject.id().to_string()])
            .output()?;
        let document: serde_json::Value = serde_json::from_slice(&look.stdout)
            .with_context(|| String::from_utf8_lossy(&look.stderr).into_owned())?;
        reported.extend(document["looked"]["stops"]["max_ns"].as_u64());
        durations.extend(document["looked"]["duration_ns"].as_u64());
    }
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest)?;
    subject.wait()?;
    let stops: Vec<(u64, u64)> = rest.lines().filter_map(stop).collect();
    ensure!(!stops.is_empty(), "no stop was measured");
    println!(
        "{times} checks of {threads} threads that run and {sleeping} that sleep; {} stops, measured by the threads that ran",
        stops.len()
    );
    let lengths = stops.iter().map(|(length, _)| *length);
    show("until they ran again", lengths.collect());
    let stopped = stops
        .iter()
        .map(|(length, wait)| length.saturating_sub(*wait));
    show("without their waiting for a CPU", stopped.collect());
    show("longest stop of each check, as hang reports it", reported);
    show("duration of a check", durations);
    Ok(())
}

/// Reads a line of the program: the length of a stop, and how much of it the thread waited for a CPU.
fn stop(line: &str) -> Option<(u64, u64)> {
    let (length, wait) = line.split_once(' ')?;
    Some((length.parse().ok()?, wait.parse().ok()?))
}

fn show(name: &str, mut all: Vec<u64>) {
    all.sort_unstable();
    let Some(last) = all.len().checked_sub(1) else {
        return;
    };
    let at = |share: f64| all[(last as f64 * share) as usize] as f64 / 1e3;
    println!(
        "  {name}: median {:.1} us, p99 {:.1} us, longest {:.1} us",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}
