//! From the words of the command line to the answer.

use super::notices::{notices, packages, unpacked};
use super::text;
use locktoll_terminal::failure::Outcome;
use locktoll_terminal::{output, version};

/// Prints the table of all parts, all texts, or the texts of one package.
pub fn run(name: Option<&str>, texts: bool) -> Outcome {
    let file = unpacked()?;
    let (packages, notices) = (packages(&file), notices(&file));
    let answer = match name {
        Some(name) => text::of_one(name, &packages, &notices)?,
        None if texts => text::all(&locktoll_shown::html::licences(), &notices),
        None => text::table(version::version(), &packages),
    };
    output::print(&answer)
}
