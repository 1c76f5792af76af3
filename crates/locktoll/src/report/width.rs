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
    let said = std::env::var("COLUMNS").ok();
    let said = said.and_then(|columns| columns.trim().parse::<usize>().ok());
    let measured = || {
        let size = match isatty(stdout()) {
            true => tcgetwinsize(stdout()),
            false => tcgetwinsize(stderr()),
        };
        size.ok().map(|size| usize::from(size.ws_col))
    };
    said.filter(|&columns| columns > 0)
        .or_else(|| measured().filter(|&columns| columns > 0))
        .map_or(WIDTH_OF_FILES, |columns| columns.clamp(LEAST, MOST))
}
