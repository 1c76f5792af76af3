//! Very many threads, one after another and at once.

use locktoll_recording::reader::Recording;

use crate::measure::{Rounds, Run, Way};
use crate::support::{acquisitions_in, program_with};

/// Rounds of three runs.
const ROUNDS: usize = 7;

/// Prints the processor time against bare, and what was lost.
pub fn run() {
    let program = program_with("successive_threads.c", &["-O2"]);
    let file_name = program.file_name().unwrap_or_default().to_string_lossy();
    for (what, count, at_once) in [
        ("10,000 threads one after another", 10_000_u64, "1"),
        ("2,000 threads at once", 2_000, "2000"),
    ] {
        println!("{what}: ms of processor time; us added for each thread, {ROUNDS} rounds");
        let threads = count.to_string();
        let arguments = [&*threads, at_once];
        let cpu_ms = |way| Run::new(way, &program, &arguments).spent().0.cpu_ms;
        let rounds = Rounds::play(ROUNDS, &[Way::Sampled], cpu_ms);
        // Of a thread's life, recorded or not, the beginning and the end are most of it: what counts is how much more.
        rounds.print("ms", |time, bare| (time - bare) * 1e3 / count as f64);

        let parts = Run::new(Way::Sampled, &program, &arguments).spent().1;
        for entry in std::fs::read_dir(parts.path()).expect("the folder is there") {
            let path = entry.expect("an entry").path();
            let recording = Recording::open(path).expect("a readable part");
            let part = &recording.parts[0];
            let dropped: u64 = part.dropped.iter().map(|(_, count)| count).sum();
            println!(
                "    {} threads in the recording, {} of {} acquisitions counted, {dropped} things dropped",
                part.threads.len(),
                acquisitions_in(part, &file_name),
                2 * count
            );
        }
    }
}
