//! `locktoll snapshot`: what a recording in progress has gained since the last snapshot, as a recording of its own.
//!
//! - `run`: the verb.
//! - `run_in_progress`: the folder into which the processes of a recording write, found by one of them.
//! - `state`: what earlier snapshots have reported. `as_owner`: file accesses with the rights of the recording's owner.
//! - `written`: the snapshot's file.

mod as_owner;
pub mod flags;
mod run;
mod run_in_progress;
mod state;
mod written;

pub use run::run;
