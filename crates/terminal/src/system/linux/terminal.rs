//! The size of the terminal, and whether any process still reads the output.

use std::io::{Error, ErrorKind, stderr, stdout};

use rustix::termios::{Winsize, isatty, tcgetwinsize};

/// Returns the number of characters in a line of standard output's terminal. In a pipe, standard error's terminal counts, since a
/// pager shows its input there. 0 if the terminal does not know.
pub fn columns() -> Option<usize> {
    let size = match isatty(stdout()) {
        true => tcgetwinsize(stdout()),
        false => tcgetwinsize(stderr()),
    };
    size.ok().map(|size| usize::from(size.ws_col))
}

/// Returns columns and lines of the terminal on standard output, if it is one and reports them.
pub fn screen() -> Option<(usize, usize)> {
    let Winsize { ws_col, ws_row, .. } = tcgetwinsize(stdout()).ok()?;
    (ws_col > 0 && ws_row > 0).then_some((usize::from(ws_col), usize::from(ws_row)))
}

/// Whether a write failed because its reader went away.
pub fn reader_left(error: &Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
}
