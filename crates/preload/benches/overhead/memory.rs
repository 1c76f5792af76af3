//! Bytes for each lock that is alive.

use crate::measure::{Run, Way, median};
use crate::support::program_with;

/// Locks alive at once.
const LOCKS: u64 = 1_000_000;

/// Runs of each way.
const RUNS: usize = 3;

/// Prints what is resident more than bare, and how long the part is.
pub fn run() {
    let program = program_with("locks_alive.c", &["-O2"]);
    let locks = LOCKS.to_string();
    let arguments = [&*locks, "2"];
    let peak = |way| {
        let peaks = (0..RUNS).map(|_| Run::new(way, &program, &arguments).spent().0.peak_bytes);
        median(peaks).0
    };
    println!("{LOCKS} mutexes alive at once, each taken twice: bytes a lock");
    let bare = peak(Way::Bare);
    for (name, way) in [
        ("recorded", Way::Sampled),
        ("recorded, --exact", Way::Exact),
    ] {
        let parts = Run::new(way, &program, &arguments).spent().1;
        let file: u64 = std::fs::read_dir(parts.path())
            .expect("the folder is there")
            .map(|entry| {
                let metadata = entry.and_then(|entry| entry.metadata());
                metadata.expect("a part").len()
            })
            .sum();
        println!(
            "    {name:<20}{:>10.1} resident more than bare, the file's pages among them; the file is {:.1} long",
            (peak(way) - bare) / LOCKS as f64,
            file as f64 / LOCKS as f64
        );
    }
}
