//! Processes that a program leaves behind become children of this one (`PR_SET_CHILD_SUBREAPER`, prctl(2)).

use std::io;

/// Makes this process the reaper of orphaned processes from now on. This is a single system call.
///
/// # Errors
/// If the kernel does not know the option, which exists since 3.4.
pub fn adopt_strays() -> io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(
        rustix::process::getpid(),
    ))?)
}
