//! Very many threads, one after another and at once.

use std::time::Instant;

use locktoll_recording::reader::Recording;

use crate::measure::{Rounds, Run, Way};
use crate::support::{acquisitions_in, program_with};

/// Rounds of three runs.
const ROUNDS: usize = 7;

/// Prints the time against bare, and what was lost.
pub fn run() {
    let program = program_with("successive_threads.c", &["-O2"]);
    for (what, count, at_once) in [
        ("10,000 threads one after another", 10_000_u64, "1"),
        ("2,000 threads at once", 2_000, "2000"),
    ] {
        println!("{what}: ms; ratio to bare less 1, {ROUNDS} rounds");
        let threads = count.to_string();
        let arguments = [&*threads, at_once];
        let milliseconds = |way| {
            let run = Run::new(way, &program, &arguments);
            let begin = Instant::now();
            run.parts();
            begin.elapsed().as_secs_f64() * 1e3
        };
        let rounds = Rounds::play(ROUNDS, &[Way::Sampled], milliseconds);
        rounds.print("ms", |time, bare| time / bare - 1.0);

        let parts = Run::new(Way::Sampled, &program, &arguments).parts();
        for entry in std::fs::read_dir(parts.path()).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            let recording = Recording::open(path).expect("a readable part");
            let part = &recording.parts[0];
            let dropped: u64 = part.dropped.iter().map(|(_, count)| count).sum();
            println!(
                "    {} threads in the recording, {} of {} acquisitions counted, {dropped} things dropped",
                part.threads.len(),
                acquisitions_in(part, "successive_threads_c"),
                2 * count
            );
        }
    }
}
