//! Nice values.

use std::io;

/// Gives the calling thread a nice value.
///
/// # Errors
/// What setpriority(2) says: not permitted to be less nice without CAP_SYS_NICE or a limit (RLIMIT_NICE) that reaches so far.
pub fn set_nice(nice: i32) -> io::Result<()> {
    // SAFETY: no memory is passed; on Linux `who` 0 with PRIO_PROCESS is the calling thread.
    match unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
