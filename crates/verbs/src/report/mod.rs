//! `locktoll report FILE`.
//!
//! - `run`: the verb.
//! - `request`: which format, checked against what was asked of it.
//! - `result`: what is no recording.

pub mod flags;
mod request;
mod result;
mod run;

pub use run::run;
