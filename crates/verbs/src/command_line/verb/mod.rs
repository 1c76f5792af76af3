//! The program and its verbs, those that the system has.
//!
//! - `table`: the verbs, in the order of the lines in `lib.rs`, which is that for a newcomer.
//! - `cli`: the program to which they belong; `words`: the words of its help on this system.
//! - `absent`: the verbs that this system does not have, and the needs of each.

mod absent;
mod cli;
mod table;
mod words;

pub use absent::refused;
pub use cli::Cli;
