//! Made-up results of all kinds, for tests that use each of them.
//!
//! - `comparison`, `tour`: those that a verb's own code makes; the rest is in `locktoll_made_up`.
//! - `files`: the documents that the tests of pages open, kept equal to what the program makes.
//! - `first_lines`: how each report of text begins.
//! - `open_tests`: each saved and read back.

pub mod comparison;
mod files;
mod first_lines;
mod open_tests;
pub mod tour;
