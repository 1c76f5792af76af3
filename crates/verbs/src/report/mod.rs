//! `locktoll report FILE`.
//!
//! - `run`: the verb.
//! - `request`: the format, checked against the flags.
//! - `result`: results that are not recordings.

pub mod flags;
mod request;
mod result;
mod run;

pub use run::run;
