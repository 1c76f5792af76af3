//! How large the console is.

use std::io::{IsTerminal, stderr, stdout};

use terminal_size::{Width, terminal_size_of};

/// Characters in a line: of standard output's console, or in a pipe of standard error's, since a pager shows its input
/// there.
pub fn columns() -> Option<usize> {
    let size = match stdout().is_terminal() {
        true => terminal_size_of(stdout()),
        false => terminal_size_of(stderr()),
    };
    size.map(|(Width(columns), _)| usize::from(columns))
}
