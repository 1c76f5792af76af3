//! `locktoll attach`.
//!
//! - `run`: the verb.
//! - `place`: where the profile goes.
//! - `words`: what it says on standard error.

mod place;
mod run;
mod words;

pub use run::run;
