//! The command line: the verbs with their flags, and which of them runs.
//!
//! - `verb`: the verbs that the system has.
//! - `parse`: from words to a start, or to one line that says what is wrong (`missing`: what they lack); `dispatch`: from a start to the
//!   verb that it asks for.
//! - `command`: the program as clap parses it, with its help laid out; `help_text` is what is written by hand in it.
//! - `completions`, `man`: generated from the definitions; `known_names` are the names that completions offer.

mod command;
mod completions;
mod dispatch;
mod help_text;
mod known_names;
mod man;
mod missing;
mod parse;
mod verb;

pub use dispatch::run;
pub use parse::parse;
