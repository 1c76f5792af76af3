//! How wide a line may be.

use std::io::{stderr, stdout};

use rustix::termios::{isatty, tcgetwinsize};

/// Where no terminal says how wide it is: fits a page of code review, a mail, a log.
pub const WIDTH_OF_FILES: usize = 100;

/// Tables need this much.
const LEAST: usize = 60;
/// Longer lines are hard to follow.
const MOST: usize = 160;

/// Characters in a line of standard output: as `COLUMNS` says, else as the terminal says. In a pipe it is the terminal
/// of standard error that counts, since a pager shows its input there.
pub fn line_width() -> usize {
    let measured = || {
        let size = match isatty(stdout()) {
            true => tcgetwinsize(stdout()),
            false => tcgetwinsize(stderr()),
        };
        size.ok().map(|size| usize::from(size.ws_col))
    };
    columns()
        .or_else(|| measured().and_then(fit))
        .unwrap_or(WIDTH_OF_FILES)
}

/// Columns and lines of the terminal that standard output is, if it is one and says how many.
pub fn screen() -> Option<(usize, usize)> {
    let size = tcgetwinsize(stdout()).ok()?;
    (size.ws_col > 0 && size.ws_row > 0)
        .then_some((usize::from(size.ws_col), usize::from(size.ws_row)))
}

/// Characters in a line as the environment variable `COLUMNS` says, if it does.
pub fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok()?;
    fit(said.trim().parse().ok()?)
}

/// A width that tables can do with; terminals that do not know theirs say 0.
fn fit(columns: usize) -> Option<usize> {
    (columns > 0).then(|| columns.clamp(LEAST, MOST))
}
