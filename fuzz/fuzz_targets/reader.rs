//! Any bytes at all to the reader of recordings: `cargo +nightly fuzz run reader`.
#![no_main]

#[path = "../exercise.rs"]
mod exercise;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| exercise::exercise(bytes));
