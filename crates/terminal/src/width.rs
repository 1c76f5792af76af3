//! The width of a line.

use crate::system::terminal;

/// Where no terminal says how wide it is: fits a page of code review, a mail, a log.
pub const WIDTH_OF_FILES: usize = 100;

/// The narrowest terminal that reports are written for.
const LEAST: usize = 40;
/// Longer lines are hard to follow.
const MOST: usize = 160;

/// Characters in a line of standard output: as `COLUMNS` says, else as the terminal says. In a pipe it is the terminal
/// of standard error that counts, since a pager shows its input there.
pub fn line_width() -> usize {
    columns()
        .or_else(|| terminal::columns().and_then(fit))
        .unwrap_or(WIDTH_OF_FILES)
}

/// Characters in a line as the environment variable `COLUMNS` says, if it does.
pub fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok()?;
    fit(said.trim().parse().ok()?)
}

/// A width that reports can do with; terminals that do not know theirs say 0.
fn fit(columns: usize) -> Option<usize> {
    (columns > 0).then(|| columns.clamp(LEAST, MOST))
}
