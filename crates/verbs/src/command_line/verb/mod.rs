//! The program and its verbs, those that the system has.
//!
//! - `table`: the verbs, in the order a newcomer meets them, which is that of the lines in `lib.rs`.
//! - `cli`: the program, whose verbs they are; `words`: what its help says on this system.
//! - `absent`: what this system does not have, and what each would need.

mod absent;
mod cli;
mod table;
mod words;

pub use absent::refused;
pub use cli::Cli;
