//! The cost of the recorder: bare compared with recorded, interleaved in one run. `cargo bench -p locktoll-preload`,
//! or with `-- WORD` only the parts whose names contain the word.
//!
//! Each round runs the same program once bare, once recorded and once more bare. The two bare runs show the
//! difference between equal runs on this machine: a smaller difference means nothing.
//!
//! - `pairs`: time of an uncontended lock and unlock.
//! - `nested`: the same while other locks are held, with and without the order of locks.
//! - `contended`: throughput of four threads on one mutex.
//! - `memory`: bytes for each lock that is alive.
//! - `threads`: very many of them, and whether any is lost.
//! - `beginnings`: the first use of a lock, and processes that end at once.
//! - `measure`: runs, medians and intervals.

#[path = "../../tests/preload/support.rs"]
#[expect(dead_code, reason = "the tests use the rest of it")]
mod support;

mod beginnings;
mod contended;
mod measure;
mod memory;
mod nested;
mod pairs;
mod threads;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    // `cargo test --benches` and the like only want to know that it builds.
    if arguments.iter().any(|argument| argument == "--test") {
        return;
    }
    let words: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    for (name, run) in [
        ("pairs", pairs::run as fn()),
        ("nested", nested::run),
        ("contended", contended::run),
        ("memory", memory::run),
        ("threads", threads::run),
        ("beginnings", beginnings::run),
    ] {
        if words.is_empty() || words.iter().any(|word| name.contains(word.as_str())) {
            run();
        }
    }
}
