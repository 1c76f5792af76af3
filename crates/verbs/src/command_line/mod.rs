//! The command line: the verbs with their flags, and the choice of the one to run.
//!
//! - `verb`: the verbs that exist on this system.
//! - `parse`: from words to a start, or to one line that says what is wrong (`missing`: the arguments that they lack);
//!   `dispatch`: from a start to the verb that it asks for.
//! - `command`: the program as clap parses it, with its help laid out; `help_text`: the parts of it that are written by hand.
//! - `completions`, `man`: generated from the definitions; `known_names`: the names that completions offer.
//! - `licences`: the licences of all parts of the program.

mod command;
mod completions;
mod dispatch;
mod help_text;
mod known_names;
mod licences;
mod man;
mod missing;
mod parse;
mod verb;

pub use dispatch::run;
pub use parse::parse;
