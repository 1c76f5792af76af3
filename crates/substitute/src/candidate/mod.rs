//! What can be tried, by name.
//!
//! A candidate is an algorithm and, where it has one, its parameter: `ticket-yield`, `futex3:100`, `gate:2`. `description`
//! says what is known of an algorithm, `list` is the list of all, `name` reads and writes names, `selection` is what is
//! tried where no names are given.

mod description;
mod list;
mod name;
mod selection;

pub use description::{Default, Description, Parameter};
#[cfg(any(test, feature = "interpose"))]
pub(crate) use list::for_each_algorithm;
pub use list::{ALL, Algorithm};
pub use name::{Candidate, Unknown, parse};
pub use selection::defaults;
