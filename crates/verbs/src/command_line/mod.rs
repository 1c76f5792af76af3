//! The command line: the verbs with their flags, and which of them runs.
//!
//! - `verb`: the verbs that the system has.
//! - `parse`: from words to a start; `dispatch`: from a start to the verb that it asks for.
//! - `completions`, `man`: generated from the definitions.

mod completions;
mod dispatch;
mod man;
mod parse;
mod verb;

pub use dispatch::run;
pub use parse::parse;
