//! `locktoll attach`.
//!
//! - `run`: the verb.
//! - `subjects`: the processes to watch.
//! - `alerts`: the watchdog.
//! - `spinning`: the detector of busy waiting.
//! - `place`: the destination of the profile.
//! - `words`: its messages on standard error.

mod alerts;
pub mod flags;
mod place;
mod run;
mod spinning;
mod subjects;
mod words;

pub use run::run;
