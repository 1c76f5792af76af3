//! The schema `locktoll.bench/1`.
//!
//! - `model`: the result; `sum`: what a run becomes one by.

mod model;
mod sum;

pub use model::{BenchNoise, BenchResult, SameLockTwice};
