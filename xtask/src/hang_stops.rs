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
    let mut reported = Vec::new();
    for _ in 0..times {
        let look = Command::new(&locktoll)
            .args(["hang", "--json", &subject.id().to_string()])
            .output()?;
        let document: serde_json::Value = serde_json::from_slice(&look.stdout)
            .with_context(|| String::from_utf8_lossy(&look.stderr).into_owned())?;
        reported.extend(document["looked"]["stops"]["max_ns"].as_u64());
    }
    drop(input);
    let mut rest = String::new();
    output.read_to_string(&mut rest)?;
    subject.wait()?;
    let mut stops: Vec<u64> = rest.lines().filter_map(|line| line.parse().ok()).collect();
    ensure!(!stops.is_empty(), "no stop was measured");
    stops.sort_unstable();
    let at = |share: f64| stops[((stops.len() - 1) as f64 * share) as usize] as f64 / 1e3;
    println!(
        "{times} checks of {threads} threads that run and {sleeping} that sleep; {} stops, measured by the threads that ran",
        stops.len()
    );
    println!(
        "  median {:.1} us, p99 {:.1} us, longest {:.1} us",
        at(0.5),
        at(0.99),
        at(1.0)
    );
    let longest = reported.into_iter().max().unwrap_or(0) as f64 / 1e3;
    println!("  longest stop of any thread, as hang reports it: {longest:.1} us");
    Ok(())
}
