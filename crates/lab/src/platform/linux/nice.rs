//! Nice values.

use std::io;

/// Sets the nice value of the calling thread.
///
/// # Errors
/// Those of setpriority(2): lowering the nice value is not permitted without CAP_SYS_NICE or a high enough limit (RLIMIT_NICE).
pub fn set_nice(nice: i32) -> io::Result<()> {
    // SAFETY: no memory is passed; on Linux `who` 0 with PRIO_PROCESS is the calling thread.
    match unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, nice) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
