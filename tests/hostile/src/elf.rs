//! A file of code.

use locktoll_sources::futexes::fuzzed;

use crate::{file, preload, program};

/// Reads `bytes` as `attach`, `report`, `record` and the preload library read the headers of a file, and its tables for stacks.
pub fn exercise(bytes: &[u8]) {
    let (open, _path) = file::holding(bytes);
    fuzzed::elf(&open, &places(bytes));
    fuzzed::image(bytes);
    program::look_at(&open, &bytes[..bytes.len().min(256)]);
    preload::headers(bytes);
}

/// Places that are asked for: at both ends, and some that the bytes say.
fn places(bytes: &[u8]) -> Vec<u64> {
    const WORD: usize = size_of::<u64>();
    let step = (bytes.len() / 16).max(1);
    let words = bytes.windows(WORD).step_by(step).map(|word| {
        let word = word.first_chunk().expect("a window of a word");
        u64::from_le_bytes(*word)
    });
    words.chain([0, 1 << 12, u64::MAX]).collect()
}
