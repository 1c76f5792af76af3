//! The parent's side.

use std::os::windows::process::CommandExt;
use std::process::{Child, Command};

use windows_sys::Win32::System::Threading::CREATE_NEW_PROCESS_GROUP;

/// Makes the console's Ctrl-C reach only us; we end the child ourselves.
pub fn apart(command: &mut Command) -> &mut Command {
    command.creation_flags(CREATE_NEW_PROCESS_GROUP)
}

/// Ends the child. Nothing outlives it, since the system closes its handles.
pub fn end(child: &mut Child) {
    // Nothing more can be done for a child that cannot be ended or waited for.
    let _ = child.kill();
    let _ = child.wait();
}
