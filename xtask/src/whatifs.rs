//! Is what `locktoll whatif` predicts true? Programs whose holds have a length that the command line says, on this machine: the
//! truth is measured by giving a smaller number.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use serde_json::Value;

use super::build;

/// The program's mode, the length of a hold in microseconds, the rounds, whether holds sleep, and the lock in question.
type Case = (&'static str, u32, u32, bool, &'static str);

const CASES: [Case; 9] = [
    ("one", 1000, 300, false, "work_lock"),
    ("one", 1000, 300, true, "work_lock"),
    ("shared", 1000, 200, false, "work_lock"),
    ("shared", 1000, 200, true, "work_lock"),
    ("decoy", 1000, 300, true, "work_lock"),
    ("two", 2000, 200, true, "work_lock"),
    ("readers", 1000, 300, true, "work_rwlock"),
    ("pool", 1000, 300, true, "work_lock"),
    ("pool", 1000, 300, false, "work_lock"),
];

/// The decoy: it has the longest waits, and the truth is that nothing is gained.
const DECOY: Case = ("decoy", 1000, 300, true, "decoy_lock");

/// Runs of the truth: each of the three lengths this many times, interleaved.
const TRUTH: usize = 9;

/// Predicts each case in `rounds` rounds, measures the truth, and prints both.
pub fn run(rounds: usize) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let locktoll = build::locktoll()?;
    let program = build::c_program("tests/programs/whatif_holds.c", folder.path())?;
    println!(
        "{:<28} {:>6}  {:<22} {:>6}  inside  error",
        "case", "holds", "predicted (95 %)", "true"
    );
    let (mut inside, mut all) = (0, 0);
    let mut errors = Vec::new();
    for case in CASES {
        let found = predicted(&locktoll, &program, case, rounds)?;
        for (percent, truth) in [25, 50].into_iter().zip(truth(&program, case)?) {
            let gain = &found["gains"][percent.to_string()];
            let bound = |field: &str| gain[field].as_f64().context("no gain was predicted");
            let (low, median, high) = (bound("low")?, bound("median")?, bound("high")?);
            let is_inside = (low..=high).contains(&truth);
            let error = 100.0 * (median - truth).abs();
            println!(
                "{:<28} {:>5}%  {median:.2} ({low:.2} .. {high:.2})     {truth:>6.2}  {:<6}  {error:.1} points",
                described(case),
                -percent,
                if is_inside { "yes" } else { "NO" }
            );
            inside += usize::from(is_inside);
            all += 1;
            errors.push(error);
        }
    }
    errors.sort_by(f64::total_cmp);
    println!(
        "inside: {inside} of {all}; median error: {:.1} points",
        errors[errors.len() / 2]
    );
    let decoy = predicted(&locktoll, &program, DECOY, rounds)?;
    println!("{}: {}", described(DECOY), decoy["verdict"]);
    Ok(())
}

fn described((mode, hold_us, _, sleeps, lock): Case) -> String {
    let how = if sleeps { "sleep" } else { "work" };
    format!("{mode} {hold_us} us {how} {lock}")
}

fn words((mode, _, rounds, sleeps, _): Case, hold_us: u32) -> Vec<String> {
    let mut words = vec![mode.to_owned(), hold_us.to_string(), rounds.to_string()];
    words.extend(sleeps.then(|| "sleep".to_owned()));
    words
}

/// The row of the lock.
fn predicted(locktoll: &Path, program: &Path, case: Case, rounds: usize) -> anyhow::Result<Value> {
    let (_, hold_us, _, _, lock) = case;
    let output = Command::new(locktoll)
        .args([
            "whatif",
            "--json",
            "--rounds",
            &rounds.to_string(),
            "--slow",
            lock,
            "--",
        ])
        .arg(program)
        .args(words(case, hold_us))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()?;
    ensure!(output.status.success(), "`locktoll whatif` failed");
    let document: Value = serde_json::from_slice(&output.stdout)?;
    Ok(document["locks"][0].clone())
}

/// How many times as fast the program is with holds that are 25 and 50 per cent shorter.
fn truth(program: &Path, case: Case) -> anyhow::Result<[f64; 2]> {
    let (_, hold_us, ..) = case;
    let lengths = [hold_us, hold_us * 3 / 4, hold_us / 2];
    let mut ratios = [Vec::new(), Vec::new()];
    for _ in 0..TRUTH {
        let mut times = [0.0; 3];
        for (time, length) in times.iter_mut().zip(lengths) {
            let began = Instant::now();
            let status = Command::new(program)
                .args(words(case, length))
                .stdout(Stdio::null())
                .status()?;
            ensure!(status.success(), "the program failed");
            *time = began.elapsed().as_secs_f64();
        }
        for (ratios, time) in ratios.iter_mut().zip(&times[1..]) {
            ratios.push(times[0] / time);
        }
    }
    Ok(ratios.map(|mut ratios| {
        ratios.sort_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    }))
}
