//! A Python program: the interpreter's own big lock, queues, conditions, barriers, timeouts, children.

use std::process::Command;

use super::contestants::{Run, on_every_lock};
use super::pace::steps;
use super::process::{Running, is_there};

const PROGRAM: &str = include_str!("threads.py");

#[test]
fn python() {
    if !is_there("python3") {
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
    let jobs = steps(run, 400);
    let mut program = run.command(interpreter);
    program.args(["-c", PROGRAM, &jobs.to_string()]);
    let said = Running::start(&mut program, run.path("log"))?.finish()?;
    // Six threads add the squares of all jobs, in four ways.
    let squares: usize = (0..jobs).map(|job| job * job).sum();
    let expected = format!(
        "queue {squares}\ncondition {squares}\npool {squares}\nbarrier {}\nchildren 3\n",
        6 * 20
    );
    match said == expected {
        true => Ok(()),
        false => Err(format!("it said {said}, not {expected}")),
    }
}
