//! `locktoll record -- CMD`: from a program to a recording, and the summary of it.
//!
//! - `recipe`: runs a program under the recorder; other verbs go on from there.
//! - `run`: the verb.
//! - `notices`: what is said on standard error because the figures alone would not say it.

pub mod flags;
mod notices;
mod recipe;
mod run;

pub use recipe::{Recipe, record_to_profile};
pub use run::run;
