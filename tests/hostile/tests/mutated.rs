//! Recordings and documents that somebody has changed, by the thousand: each is read, and shown in every format, or refused in a line. Memory
//! stays bounded.

#![cfg(target_os = "linux")]

use std::fs;
use std::time::{Duration, Instant};

use locktoll_hostile::memory::Counted;
use locktoll_hostile::{Numbers, Target, named};

#[global_allocator]
static MEMORY: Counted = Counted;

/// How many of each of three sorts: 12,000 together in the long variant.
fn times() -> usize {
    match locktoll_needs::soak() {
        true => 4_000,
        false => 400,
    }
}

/// `whole` with a few changes: bytes, words at their limits, stretches that are taken away, doubled or moved.
fn changed(whole: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..=numbers.below(6) {
        let at = numbers.below(bytes.len());
        let end = bytes.len().min(at + 1 + numbers.below(64));
        match numbers.below(7) {
            0 => bytes[at] = numbers.below(256) as u8,
            1 => bytes[at] ^= 1 << numbers.below(8),
            2 => bytes[at..end].fill([0, 0x7f, 0xff][numbers.below(3)]),
            3 => drop(bytes.drain(at..end)),
            4 => bytes.truncate(end),
            5 => {
                let stretch = bytes[at..end].to_vec();
                let to = numbers.below(bytes.len());
                bytes.splice(to..to, stretch);
            }
            _ => {
                let digits = ["-1", "1e17", "18446744073709551615", "null", "\"\\u001b\""];
                let word = digits[numbers.below(digits.len())];
                bytes.splice(at..at, word.bytes());
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

/// Long enough for any of them in a debug build on a busy machine; a hang is one without end.
const PATIENCE: Duration = Duration::from_secs(60);

fn bears(target: &Target, seeds: &[Vec<u8>], numbers: &mut Numbers) {
    for time in 0..times() {
        let input = changed(&seeds[time % seeds.len()], numbers);
        let since = Instant::now();
        target.run(&input);
        assert!(since.elapsed() < PATIENCE, "{} {time}", target.name);
    }
}

fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let entries = fs::read_dir(target.seeds()).unwrap();
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| fs::read(file).unwrap()).collect()
}

// One test, since memory is counted for the whole process.
#[test]
fn changed_recordings_and_documents_are_shown_or_refused() {
    let mut numbers = Numbers(1906);
    for name in ["reader", "report", "saved"] {
        let target = named(name);
        bears(target, &seeds(target), &mut numbers);
    }
}
