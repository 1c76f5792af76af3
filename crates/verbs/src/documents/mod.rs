//! Made-up results of all kinds, for tests that need one of each.
//!
//! - `comparison`, `tour`: the results that a verb's own code makes; the rest is in `locktoll_made_up`.
//! - `files`: the documents that the tests of pages open, kept equal to the program's own output.
//! - `first_lines`: the beginning of each text report.
//! - `open_tests`: saves each result and reads it back.

pub mod comparison;
mod files;
mod first_lines;
mod open_tests;
pub mod tour;
