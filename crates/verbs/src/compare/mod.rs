//! Compares two saved results: the changes, with intervals.
//!
//! - `side`: one side of a comparison, from files to results of one kind.
//! - `measure`: figures of a row, and how two of them make a ratio and a verdict; `pair`: rows of two sides by their keys;
//!   `order`: which row comes first.
//! - `bench`, `machine`, `reproduction`, `tour`, `trial`, `locks`: rows of each kind of result.
//! - `identity`: matches the locks of two recordings.
//! - `surroundings`: the differences around the two; `one_side`: each of them by itself, with its warnings; `context`: both,
//!   the noise, and notes for the reader.
//! - `two_machines`: a warning if the sides come from two machines.
//! - `stand_in`: a side that is not from the real thing.
//! - `rule`: the language of `--fail-if`, and the conditions that break a rule.
//! - `between`: all of it, from two sides to a [`Comparison`](locktoll_results::comparison::Comparison).

mod bench;
mod between;
mod context;
pub mod flags;
mod identity;
mod locks;
mod machine;
mod measure;
mod one_side;
mod order;
mod pair;
mod reproduction;
pub mod rule;
mod run;
mod side;
#[cfg(all(test, target_os = "linux"))]
mod snapshots;
mod stand_in;
mod surroundings;
mod tour;
mod trial;
mod two_machines;

// The tests use results of all kinds, including those of verbs that only Linux has.
#[cfg(all(test, target_os = "linux"))]
mod tests;

pub use between::between;
pub use run::run;
pub use side::Results;
