//! The width of a line.

use crate::system::terminal;

/// The width if there is no terminal that says how wide it is. It fits a page of code review, a mail, a log.
pub const WIDTH_OF_FILES: usize = 100;

/// The narrowest terminal for which reports are written.
const LEAST: usize = 40;
/// The longest line: longer lines are hard to follow.
const MOST: usize = 160;

/// Returns the number of characters in a line of standard output according to `COLUMNS` or, failing that, the terminal. In a
/// pipe, the terminal of standard error counts, since a pager shows its input there.
pub fn line_width() -> usize {
    columns()
        .or_else(|| terminal::columns().and_then(fit))
        .unwrap_or(WIDTH_OF_FILES)
}

/// Returns the number of characters in a line according to the environment variable `COLUMNS`, if it is set.
pub fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok()?;
    fit(said.trim().parse().ok()?)
}

/// Limits a width to one that suits reports; terminals that do not know their width say 0.
fn fit(columns: usize) -> Option<usize> {
    (columns > 0).then(|| columns.clamp(LEAST, MOST))
}
