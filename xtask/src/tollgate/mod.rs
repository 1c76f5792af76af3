//! The table of the lock `Tollgate`: how fast it is beside every peer that blocks, what was to be reached, and what is lost.
//!
//! `cell` lists what is measured (`setting`), `group` what is to be reached. `batch` makes runs of `locktoll bench` of it, `campaign` carries
//! all out: `bench` those, `conditions` the loops over condition variables. `lines` compares round by round (`row`, `ratio`) and
//! judges (`verdict`). `page` prints groups (`text`), what is to be said of them (`remarks`) and the `summary`; `document` is
//! the same as JSON.

mod arguments;
mod batch;
mod bench;
mod campaign;
mod cell;
mod conditions;
mod document;
mod group;
mod lines;
mod measured;
mod page;
mod peers;
mod ratio;
mod remarks;
mod row;
mod run;
mod setting;
mod summary;
mod text;
mod verdict;

#[cfg(test)]
mod made_up;

pub use run::run;
