//! What `compare` hands to its reports, and the page for people.
//!
//! - `model`: the schema `locktoll.compare/1`; `bounds`: how it writes a figure of a single run.
//! - `text`: the page; `summary`: the verdict in a line; `table`: rows in columns; `amounts`: figures on it.

mod amounts;
mod bounds;
mod model;
mod summary;
mod table;
mod text;

#[cfg(test)]
mod snapshots;

pub use amounts::{amount, ratio};
pub use model::{
    Better, Comparison, Difference, Figure, Noise, Row, RowVerdict, RuleOutcome, Side, Unit,
};
pub use text::Page;
