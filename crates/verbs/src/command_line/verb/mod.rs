//! The program and the verbs that exist on this system.
//!
//! - `table`: the verbs, in the order of the lines in `lib.rs`, which is the order for a newcomer.
//! - `cli`: the program to which they belong; `words`: the texts of its help on this system.
//! - `absent`: the verbs that this system does not have, and the needs of each.

mod absent;
mod cli;
mod table;
mod words;

pub use absent::refused;
pub use cli::Cli;
pub use words::ABOUT;
