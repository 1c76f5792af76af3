//! Windows' answers.

pub mod bench_words;
pub mod entries;
pub mod files;
pub mod folders;
pub mod help;
pub mod interrupt;
pub mod slice;
pub mod terminal;
