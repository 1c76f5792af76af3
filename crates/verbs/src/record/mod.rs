//! `locktoll record -- CMD`: from a program to a recording and its summary.
//!
//! - `recipe`: runs a program under the recorder; other verbs build on it.
//! - `run`: the verb.
//! - `spinning`: the detector of busy waiting.
//! - `alerts`: the watchdog.
//! - `timeline`: the events that locktoll itself keeps while the program runs. `meanwhile`: a thread that works in that time.
//! - `ended`: adds up processes that have ended, in recordings of months.
//! - `notices`: messages on standard error about things that the figures do not show.

mod alerts;
mod ended;
pub mod flags;
mod meanwhile;
mod notices;
mod recipe;
mod run;
mod spinning;
mod timeline;

pub use recipe::{Recipe, record_to_profile};
pub use run::run;
