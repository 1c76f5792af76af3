//! `locktoll machine --watch`: the counts of `/proc` in an interval, as a block of text or a line of JSON.
//!
//! The reader is the same as that of `top`'s source `system`. There is no screen, so it works in a pipe and on a dumb terminal.

pub mod flags;
mod run;
mod standard_output;

pub use run::run;
