//! Starting this program again.

use std::io;
use std::process::Command;

/// Returns a command that starts this program.
///
/// # Errors
/// The path of the program's file is unknown.
pub fn this_program() -> io::Result<Command> {
    Ok(Command::new(std::env::current_exe()?))
}
