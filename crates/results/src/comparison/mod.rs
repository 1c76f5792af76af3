//! The schema `locktoll.compare/1`.
//!
//! - `model`: the comparison; `bounds`: how it writes a figure of a single run.

mod bounds;
mod model;

pub use model::{
    Better, Comparison, Difference, Figure, Noise, Row, RowVerdict, RuleOutcome, Side, Unit,
};
