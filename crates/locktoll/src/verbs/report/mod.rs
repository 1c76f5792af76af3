//! `locktoll report FILE`.
//!
//! - `run`: the verb.
//! - `request`: which form, checked against what was asked of it.
//! - `result`: what is no recording.

mod request;
mod result;
mod run;

pub use run::run;
