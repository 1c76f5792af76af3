//! The size of the terminal, and whether any process still reads the output.

use std::io::{Error, ErrorKind, stderr, stdout};

use rustix::termios::{Winsize, isatty, tcgetwinsize};

/// Characters in a line: of standard output's terminal, or in a pipe of standard error's, since a pager shows its input
/// there. 0 where the terminal does not know.
pub fn columns() -> Option<usize> {
    let size = match isatty(stdout()) {
        true => tcgetwinsize(stdout()),
        false => tcgetwinsize(stderr()),
    };
    size.ok().map(|size| usize::from(size.ws_col))
}

/// Columns and lines of the terminal that standard output is, if it is one and says how many.
pub fn screen() -> Option<(usize, usize)> {
    let Winsize { ws_col, ws_row, .. } = tcgetwinsize(stdout()).ok()?;
    (ws_col > 0 && ws_row > 0).then_some((usize::from(ws_col), usize::from(ws_row)))
}

/// Whether a write failed because its reader went away.
pub fn reader_left(error: &Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
}
