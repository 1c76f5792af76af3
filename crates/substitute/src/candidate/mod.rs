//! The locks that can be tried, by name.
//!
//! A candidate is an algorithm and, if it takes one, a parameter: `ticket-yield`, `futex3:100`, `gate:2`. With `+slice` behind
//! that, its holders request a time slice extension. `description` has
//! the facts about an algorithm, `list` is the list of all algorithms (from the catalogue of `locktoll-locks`), `name` reads
//! and writes names, and `selection` has the candidates that are tried if no names are given.

mod description;
mod list;
mod name;
mod selection;

pub use description::{Default, Description};
#[cfg(any(test, feature = "interpose"))]
pub(crate) use list::for_each_algorithm;
pub use list::{ALL, Algorithm};
pub use locktoll_locks::catalogue::{Parameter, Unknown};
pub use name::{Candidate, SLICE_SUFFIX, parse};
pub use selection::defaults;
