//! `locktoll reproduce`: published claims, run again.

mod carry_out;
mod checks;
mod kernel_plan;
mod list;
mod plan;
mod progress;
mod run;
mod watched;

pub use run::run;
