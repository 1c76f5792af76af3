//! Reads the system and prints the suggestions.

use super::page::text;
use super::suggestion::suggestions;
use crate::diagnosis::{Reading, examine};
use locktoll_terminal::failure::Outcome;
use locktoll_terminal::{output, width};

/// Longest line: longer ones are hard to follow.
const MOST: usize = 100;

/// Prints the five most useful commands. `about` is the purpose of the program, as a predicate.
///
/// # Errors
/// If standard output cannot be written.
pub fn run(about: &str) -> Outcome {
    let reading = Reading::take().tried();
    let chosen = suggestions(&examine(&reading, None));
    output::print(&text(&chosen, about, width::line_width().min(MOST)))
}
