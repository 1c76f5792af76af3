//! The parent's side.

use std::os::windows::process::CommandExt;
use std::process::{Child, Command};

use windows_sys::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

/// The console's Ctrl-C goes to us alone; we end the child ourselves.
pub fn apart(command: &mut Command) -> &mut Command {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP)
}

/// Ends the child. It leaves nothing behind that would outlive it: handles are the system's to close.
pub fn end(child: &mut Child) {
    // Nothing more can be done for a child that cannot be ended or waited for.
    let _ = child.kill();
    let _ = child.wait();
}
