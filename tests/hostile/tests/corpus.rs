//! Each reader over its corpus, as `fuzz/` found it worth keeping, with a limit of memory.

#![cfg(target_os = "linux")]

use std::fs;

use locktoll_hostile::TARGETS;
use locktoll_hostile::memory::Counted;

#[global_allocator]
static MEMORY: Counted = Counted;

/// The largest corpus of one target, and its largest input: it is run often, and kept for ever.
const MOST_BYTES: u64 = 40 << 10;

// One test, since memory is counted for the whole process.
#[test]
fn each_reader_bears_its_corpus() {
    for target in &TARGETS {
        let folder = target.seeds();
        let mut bytes = 0;
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| {
            panic!("{}: {error}", folder.display());
        });
        let mut inputs: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        inputs.sort();
        assert!(!inputs.is_empty(), "{} has no corpus", target.name);
        for input in inputs {
            let input = fs::read(&input).unwrap_or_else(|error| {
                panic!("{}: {error}", input.display());
            });
            bytes += input.len() as u64;
            target.run(&input);
        }
        assert!(bytes <= MOST_BYTES, "{}: {bytes} bytes", target.name);
    }
}
