//! Uncontended lock and unlock.

use crate::measure::{Rounds, Run, Way};
use crate::support::program_with;

/// Rounds of four runs.
const ROUNDS: usize = 15;

/// Prints what recording adds to a pair.
pub fn run() {
    let program = program_with("pair_cost.c", &["-O2"]);
    println!("uncontended pairs, 2 threads: ns a pair; what is added, {ROUNDS} rounds");
    for (what, locks) in [
        ("each thread on a mutex of its own", "1"),
        ("each thread round 1,000 mutexes", "1000"),
        ("each thread round 500,000 mutexes", "500000"),
    ] {
        println!("  {what}");
        let cost = |way| Run::new(way, &program, &["2", locks]).number();
        let rounds = Rounds::play(ROUNDS, &[Way::Sampled, Way::Exact], cost);
        rounds.print("ns", |cost, bare| cost - bare);
    }
}
