//! `locktoll report FILE`.
//!
//! - `request`: which form, checked against what was asked of it.
//! - `target`: where its documents go.

mod request;
mod run;
mod target;

pub use run::run;
