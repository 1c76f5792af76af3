//! The table of the lock `Tollgate`: how fast it is beside every peer that blocks, what was to be reached, and what is lost.
//!
//! `cell` lists what is measured, `group` what is to be reached. `batch` makes runs of `locktoll bench` of it, `bench` carries
//! them out, `conditions` the ones of condition variables. `row` compares round by round (`ratio`) and judges (`verdict`);
//! `text`, `summary` and `document` print.

mod arguments;
mod batch;
mod bench;
mod cell;
mod conditions;
mod document;
mod group;
mod measured;
mod peers;
mod ratio;
mod remarks;
mod row;
mod run;
mod summary;
mod text;
mod verdict;

#[cfg(test)]
mod made_up;

pub use run::run;
