//! `reproduce --merge`: saved results of several machines in one, one column per machine.
//!
//! - `files`: reads the results, and refuses what cannot be merged. `run`: the command.
//! - `names`: what the machines are called. `combine`: which results belong together. `differences`: where machines disagree.

mod combine;
mod differences;
mod files;
mod names;
mod run;
#[cfg(test)]
mod tests;

pub use run::run;
