//! `cargo xtask tollgate`: the lock `Tollgate` compared with every peer that blocks, what it was to reach, and what is lost.
//!
//! `lines` lists what is measured and what is to be reached. `bench` has `locktoll bench` measure it, `conditions` the loops over
//! condition variables. `judge` compares round by round, `text` and `document` show the result.

mod bench;
mod conditions;
mod document;
mod goal;
mod judge;
mod lines;
mod measured;
mod options;
mod peers;
mod run;
mod text;

#[cfg(test)]
mod made_up;

pub use run::run;
