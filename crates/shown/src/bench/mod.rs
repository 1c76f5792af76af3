//! `bench`: its cells as a text table.

mod answer;
mod columns;
mod notes;
#[cfg(test)]
mod snapshots;
mod text;

pub use text::{ranking, setting_of as bench_setting};
