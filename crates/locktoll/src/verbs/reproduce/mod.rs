//! `locktoll reproduce`: published claims, run again.

mod carry_out;
mod checks;
mod kernel;
mod list;
mod plan;
mod progress;
mod run;
mod system;

pub use run::run;
