//! Does `locktoll try` see what is there, and nothing else? Real programs, on this machine.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, ensure};
use serde_json::Value;

use super::build;

/// Lines of the file that is sorted: some tenths of a second of work.
const LINES: u32 = 200_000;

/// Tries a program whose locks nobody waits for, `times` times, and one that does nothing but lock; prints what was said.
pub fn run(times: usize) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let locktoll = build::locktoll()?;

    let text = folder.path().join("text");
    write_lines(&text)?;
    let mut claims = 0;
    println!("sort --parallel=2, whose threads wait for no lock, {times} times:");
    for time in 1..=times {
        let trial = tried(
            &locktoll,
            &[],
            &["sort".as_ref(), "--parallel=2".as_ref(), text.as_ref()],
        )?;
        let said = claims_of(&trial)?;
        claims += usize::from(!said.is_empty());
        println!("  {time:2}: {}", one_line(&trial, &said));
    }
    println!("  claimed a difference: {claims} of {times}");

    let list = build::c_program("tests/programs/contended_list.c", folder.path())?;
    println!("eight threads on one list under one mutex:");
    let trial = tried(
        &locktoll,
        &[
            "--metric",
            "([0-9]+) operations",
            "--better",
            "higher",
            "--rounds",
            "9",
        ],
        &[list.as_ref(), "8".as_ref(), "1000000".as_ref()],
    )?;
    println!("  {}", one_line(&trial, &claims_of(&trial)?));
    Ok(())
}

/// The document of one trial.
fn tried(locktoll: &Path, flags: &[&str], command: &[&OsStr]) -> anyhow::Result<Value> {
    let output = Command::new(locktoll)
        .args(["try", "--json"])
        .args(flags)
        .arg("--")
        .args(command)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "`locktoll try` failed");
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Who was said to be better or worse, by name.
fn claims_of(trial: &Value) -> anyhow::Result<Vec<String>> {
    let rows = trial["results"].as_array().context("no results")?;
    let claimed = rows.iter().filter_map(|row| {
        let verdict = row["verdict"].as_str()?;
        let name = row["lock"].as_str()?;
        (verdict != "no_difference").then(|| format!("{name} {verdict}"))
    });
    let best = trial["best"]["lock"].as_str();
    Ok(claimed
        .chain(best.map(|name| format!("best: {name}")))
        .collect())
}

fn one_line(trial: &Value, claims: &[String]) -> String {
    let conclusion = trial["conclusion"].as_str().unwrap_or_default();
    let first = conclusion.split_inclusive(". ").next().unwrap_or_default();
    let claims = if claims.is_empty() {
        "no detectable difference".to_owned()
    } else {
        claims.join(", ")
    };
    format!("{claims}; {}", first.trim_end())
}

/// Lines in no order, the same each time: a linear congruential generator (Knuth, The Art of Computer Programming 2, 3.3.4).
fn write_lines(file: &Path) -> anyhow::Result<()> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(file)?);
    let mut state = 1_u64;
    for _ in 0..LINES {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        writeln!(out, "{state:020}")?;
    }
    Ok(out.flush()?)
}
