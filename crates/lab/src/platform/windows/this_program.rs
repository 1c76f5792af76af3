//! Starting this program once more.

use std::io;
use std::process::Command;

/// A command that starts this program.
///
/// # Errors
/// The program's file is not known.
pub fn this_program() -> io::Result<Command> {
    Ok(Command::new(std::env::current_exe()?))
}
