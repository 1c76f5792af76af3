//! `advise`: remedies for the locks of a program, ranked, each with its evidence and the gain to expect.
//!
//! - `flags`, `request`, `run`: the verb. `recorded` reads a recording, or makes one.
//! - `lock_use`: how threads use a lock, in figures; `model`: threads that queue for it, and what a change would gain.
//! - `rules`: one remedy each. They know only the figures of a profile, so tests decide about made-up ones.
//! - `ranked`: from a profile to its remedies in order, and the answer; `advice`: the result; `words`: sentences about figures.
//! - `experiments`: runs of the program that turn advice into measurements.

mod advice;
mod experiments;
pub mod flags;
mod lock_use;
#[cfg(test)]
mod made_up;
mod model;
mod ranked;
mod recorded;
mod request;
mod rules;
mod run;
mod words;

pub use advice::advice;
pub use run::run;
