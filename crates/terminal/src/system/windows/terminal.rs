//! The size of the console, and whether any process still reads the output.

use std::io::{Error, ErrorKind, IsTerminal, stderr, stdout};

use terminal_size::{Width, terminal_size_of};
use windows_sys::Win32::Foundation::ERROR_PIPE_NOT_CONNECTED;

/// Returns the number of characters in a line of standard output's console. In a pipe, standard error's console counts, since a
/// pager shows its input there.
pub fn columns() -> Option<usize> {
    let size = match stdout().is_terminal() {
        true => terminal_size_of(stdout()),
        false => terminal_size_of(stderr()),
    };
    size.map(|(Width(columns), _)| fit_for_lines(columns))
}

/// Returns one column less than the console has: a character in its last column ends the line there (ENABLE_WRAP_AT_EOL_OUTPUT),
/// and the newline would then leave an empty line.
fn fit_for_lines(columns: u16) -> usize {
    usize::from(columns.saturating_sub(1))
}

/// Whether a write failed because its reader went away. For Rust's standard library, that is a broken pipe while the pipe is
/// being closed, and "not connected" if its reader ended first.
pub fn reader_left(error: &Error) -> bool {
    error.kind() == ErrorKind::BrokenPipe
        || error.raw_os_error() == Some(ERROR_PIPE_NOT_CONNECTED as i32)
}
