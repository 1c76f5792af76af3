//! The schema `locktoll.bench/1`.
//!
//! - `model`: the result; `sum`: from a run to a result.

mod model;
mod sum;

pub use model::{BenchNoise, BenchResult, Precision, SameLockTwice};
