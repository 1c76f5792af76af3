//! Processes that a program leaves behind become children of this one (`PR_SET_CHILD_SUBREAPER`, prctl(2)).

use std::io;

/// Has processes that lose their parent come to us, from now on. A system call, and nothing else.
///
/// # Errors
/// If the kernel does not know of it: it has since 3.4.
pub fn adopt_strays() -> io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(
        rustix::process::getpid(),
    ))?)
}
