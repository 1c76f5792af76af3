//! A Python program: the interpreter's own big lock, queues, conditions, barriers, timeouts, children.

use std::process::Command;

use super::contestants::{Run, on_every_lock};
use super::pace::seconds;
use super::process::Running;

const PROGRAM: &str = include_str!("threads.py");

#[test]
fn python() {
    if !locktoll_needs::programs(&["python3"]) {
        return;
    }
    // The interpreter itself, should the name be that of a script that looks for it.
    let out = Command::new("python3")
        .args(["-c", "import sys; print(sys.executable)"])
        .output()
        .expect("python3 runs");
    let interpreter = String::from_utf8(out.stdout).expect("a path");
    on_every_lock("python", |run| calculate(run, interpreter.trim_end()));
}

fn calculate(run: &Run, interpreter: &str) -> Result<(), String> {
    let mut program = run.command(interpreter);
    program.args(["-c", PROGRAM, &(seconds() / 3.0).to_string()]);
    let said = Running::start(&mut program, run.path("log"))?.finish()?;
    // For each of three ways to hand jobs to threads: how many there were, and the sum of the squares of their numbers.
    let mut expected = String::new();
    for (line, way) in said.lines().zip(["queue", "condition", "pool"]) {
        let jobs = line.split(' ').nth(1).unwrap_or_default();
        let jobs: u64 = jobs.parse().map_err(|_| format!("it said {said}"))?;
        let squares: u64 = (0..jobs).map(|job| job * job).sum();
        expected.push_str(&format!("{way} {jobs} {squares}\n"));
    }
    expected.push_str("barrier 120\nchildren 3\n");
    match said == expected {
        true => Ok(()),
        false => Err(format!("it said {said}, not {expected}")),
    }
}
