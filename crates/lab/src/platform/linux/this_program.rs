//! Starting this program once more.

use std::io;
use std::process::Command;

use super::emulator::startable;

/// A command that starts this program, which the system may be unable to do by itself: under qemu's user mode, the emulator
/// that runs us runs the child too.
///
/// # Errors
/// The program's file is not known.
pub fn this_program() -> io::Result<Command> {
    Ok(startable(Command::new(std::env::current_exe()?), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Also where the kernel cannot execute this file itself.
    #[test]
    fn the_child_is_this_program() {
        let child = this_program().unwrap().arg("--list").output().unwrap();
        let said = String::from_utf8_lossy(&child.stdout);
        assert!(child.status.success(), "{child:?}");
        assert!(said.contains("the_child_is_this_program"), "{said}");
    }
}
