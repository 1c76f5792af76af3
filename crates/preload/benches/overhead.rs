//! What recording adds to an uncontended lock and unlock, bare against recorded, interleaved in one run:
//! `cargo bench -p locktoll-preload`.
//!
//! Each round runs the same program once bare, once recorded and once more bare. The two bare runs are there to show
//! what the machine alone makes of two runs that are the same: a difference no larger than theirs is none.

#[path = "../tests/preload/support.rs"]
#[expect(dead_code, reason = "the tests use the rest of it")]
mod support;

use std::path::Path;
use std::process::Command;

use support::{command, command_recorded, program_with};

/// Rounds of three runs.
const ROUNDS: usize = 15;

fn main() {
    // `cargo test --benches` and the like only want to know that it builds.
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let program = program_with("pair_cost.c", &["-O2"]);
    println!("uncontended pairs, 2 threads, ns a pair: medians of {ROUNDS} interleaved rounds");
    for (what, locks) in [
        ("each thread on a mutex of its own", "1"),
        ("each thread round 1,000 mutexes", "1000"),
        ("each thread round 500,000 mutexes", "500000"),
    ] {
        measure(&program, what, locks);
    }
}

fn measure(program: &Path, what: &str, locks: &str) {
    let parts = tempfile::tempdir_in("/dev/shm")
        .or_else(|_| tempfile::tempdir())
        .expect("a folder for parts");
    let (mut bare, mut again, mut recorded) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        bare.push(cost_ns(command(program), locks));
        recorded.push(cost_ns(command_recorded(program, parts.path(), &[]), locks));
        again.push(cost_ns(command(program), locks));
    }
    let added = |with: &[f64]| median(with.iter().zip(&bare).map(|(with, bare)| with - bare));
    let ratio = median(recorded.iter().zip(&bare).map(|(with, bare)| with / bare));
    println!(
        "{what}: bare {:.1}, recorded {:.1}, added {:+.1} (ratio {ratio:.2}); bare again {:+.1}",
        median(bare.iter().copied()),
        median(recorded.iter().copied()),
        added(&recorded),
        added(&again),
    );
}

/// What the program says a pair costs.
fn cost_ns(mut command: Command, locks: &str) -> f64 {
    let output = command.args(["2", locks]).output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout);
    text.trim().parse().expect("a number of nanoseconds")
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len().is_multiple_of(2) {
        f64::midpoint(values[middle - 1], values[middle])
    } else {
        values[middle]
    }
}
