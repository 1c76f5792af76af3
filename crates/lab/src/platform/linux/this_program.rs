//! Starting this program once more, and others of its processor.

use std::io;
use std::process::Command;

use super::emulator::Emulator;

/// A command that starts this program, which the system may be unable to do by itself: under qemu's user mode, the emulator
/// that runs us runs the child too.
///
/// # Errors
/// The program's file is not known.
pub fn this_program() -> io::Result<Command> {
    let program = std::env::current_exe()?;
    Ok(match Emulator::running_us() {
        Some(emulator) => {
            let mut command = emulator.command();
            command.arg(program);
            command
        }
        None => Command::new(program),
    })
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
