//! Four threads on one mutex.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::measure::{Rounds, Run, Way};

/// Rounds of four runs.
const ROUNDS: usize = 21;

/// Prints the throughput against bare.
pub fn run() {
    let program = compile("list.c");
    println!(
        "list workload, 4 threads on one mutex: million operations a second; ratio to bare less 1, {ROUNDS} rounds"
    );
    let rate = |way| Run::new(way, &program, &["4", "300"]).number();
    let rounds = Rounds::play(ROUNDS, &[Way::Sampled, Way::Exact], rate);
    rounds.print("M/s", |rate, bare| rate / bare - 1.0);
}

/// Compiles a program of the folder `benches/programs`.
fn compile(name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../benches/programs")
        .join(name);
    let program = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name.replace('.', "_"));
    let status = Command::new("cc")
        .args(["-O2", "-g", "-pthread", "-o"])
        .args([&program, &source])
        .status()
        .expect("a C compiler");
    assert!(status.success(), "{name} does not compile");
    program
}
