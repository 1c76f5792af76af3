//! Starting this program again.

use std::io;
use std::process::Command;

use super::emulator::startable;

/// Returns a command that starts this program. The system may be unable to do so directly: under qemu's user mode, the emulator
/// that runs us must run the child too.
///
/// # Errors
/// The path of the program's file is unknown.
pub fn this_program() -> io::Result<Command> {
    Ok(startable(Command::new(std::env::current_exe()?), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also holds where the kernel cannot execute this file directly.
    #[test]
    fn the_child_is_this_program() {
        let child = this_program().unwrap().arg("--list").output().unwrap();
        let said = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success(), "{child:?}");
        assert!(said.contains("the_child_is_this_program"), "{said}");
    }
}
