//! `locktoll machine --watch`: the counts of `/proc` in an interval, as a block of text or a line of JSON.
//!
//! The reader is that of `top`'s own source `system`. There is no screen, so it works in a pipe and in a dumb terminal.

pub mod flags;
mod run;
mod standard_output;

pub use run::run;
