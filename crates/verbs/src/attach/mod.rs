//! `locktoll attach`.
//!
//! - `run`: the verb.
//! - `place`: where the profile goes.
//! - `words`: what it says on standard error.

pub mod flags;
mod place;
mod run;
mod words;

pub use run::run;
