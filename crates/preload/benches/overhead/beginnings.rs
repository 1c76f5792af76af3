//! What is paid once: at the first use of a lock, and at the start and the end of a process.

use crate::measure::{Rounds, Run, Way};
use crate::support::program_with;

/// Rounds of three runs.
const ROUNDS: usize = 15;

/// Mutexes that are used for the first time, and then again, in a run.
const LOCKS: &str = "100000";

/// Processes in a run.
const PROCESSES: &str = "200";

/// Prints what recording adds.
pub fn run() {
    let program = program_with("first_uses.c", &["-O2"]);
    println!("{LOCKS} mutexes, one after the other: ns a pair; what is added, {ROUNDS} rounds");
    for (what, arguments) in [
        ("for the first time", &[LOCKS][..]),
        ("for the second time", &[LOCKS, "again"]),
    ] {
        println!("  {what}");
        let cost = |way| Run::new(way, &program, arguments).number();
        Rounds::play(ROUNDS, &[Way::Sampled], cost).print("ns", |cost, bare| cost - bare);
    }
    let program = program_with("short_processes.c", &["-O2"]);
    println!("a process that ends at once: us from start to end; what is added, {ROUNDS} rounds");
    let cost = |way| Run::new(way, &program, &[PROCESSES]).number();
    Rounds::play(ROUNDS, &[Way::Sampled], cost).print("us", |cost, bare| cost - bare);
}
