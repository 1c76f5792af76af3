//! Uncontended lock and unlock while other locks are held: what the order of locks adds.

use crate::measure::{Run, Way, median};
use crate::support::program_with;

/// Rounds of three runs.
const ROUNDS: usize = 15;

/// Prints what `--order` adds to a pair.
pub fn run() {
    let program = program_with("nested_cost.c", &["-O2"]);
    println!(
        "pairs while other locks are held, 2 threads: ns a pair that --order on adds, {ROUNDS} rounds"
    );
    for (what, locks, held) in [
        ("no other held", "1", "0"),
        ("one other held", "1", "1"),
        ("four others held", "1", "4"),
        ("one other held, round 16 mutexes", "16", "1"),
        ("one other held, round 1,000 mutexes", "1000", "1"),
        ("one other held, round 100,000 mutexes", "100000", "1"),
    ] {
        let cost = |way| Run::new(way, &program, &["2", locks, held]).number();
        // Off twice: the difference between equal runs.
        let ways = [Way::WithoutOrder, Way::Sampled, Way::WithoutOrder];
        let mut rounds = Vec::new();
        for round in 0..ROUNDS {
            let mut figures = [0.0; 3];
            for step in 0..ways.len() {
                let place = (step + round) % ways.len();
                figures[place] = cost(ways[place]);
            }
            rounds.push(figures);
        }
        let off = median(rounds.iter().map(|it| it[0])).0;
        let added = median(rounds.iter().map(|it| it[1] - it[0]));
        let same = median(rounds.iter().map(|it| it[2] - it[0]));
        println!(
            "  {what:<40}off {off:>6.2}   on {:+.2} ({:+.2} .. {:+.2})   off again {:+.2} ({:+.2} .. {:+.2})",
            added.0, added.1, added.2, same.0, same.1, same.2
        );
    }
}
