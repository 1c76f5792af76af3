//! One round of the loops over condition variables, as JSON: `cargo run --release -p locktoll-lab --example monitors -- ROUND
//! HAND-OVERS BROADCASTS`.
//!
//! `cargo xtask tollgate` runs it once for each round, so that every round sees another memory layout. ROUND draws the order;
//! a loop of length 0 is left out.

use std::process::exit;
use std::time::Duration;

use locktoll_lab::monitor::{Lengths, race};

/// Waiters of a broadcast.
const WAITERS: u32 = 64;

/// After this, a signal was lost: no lengths that anybody gives take so long.
const LOST: Duration = Duration::from_secs(120);

fn main() {
    let numbers: Vec<u32> = std::env::args()
        .skip(1)
        .map_while(|word| word.parse().ok())
        .collect();
    // Before there are threads, where it takes a microsecond; afterwards it would be a part of the first figure.
    locktoll_locks::Tollgate::prepare();
    let [round, hand_overs, broadcasts] = numbers[..] else {
        eprintln!("accepted: ROUND HAND-OVERS BROADCASTS, three whole numbers");
        exit(2);
    };
    std::thread::spawn(|| {
        std::thread::sleep(LOST);
        eprintln!(
            "a condition variable did not let its waiters go within {} s",
            LOST.as_secs()
        );
        exit(1);
    });
    let lengths = Lengths {
        hand_overs,
        broadcasts,
        waiters: WAITERS,
    };
    println!("{}", serde_json::json!(race(round, lengths)));
}
