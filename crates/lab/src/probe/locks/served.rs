//! The process whose system calls are counted.

use std::io;

use super::marks::Mark;
use crate::contender::{self, LockOptions};

/// The kernel ends the process after this many seconds, whatever the lock does.
const LONGEST_S: u32 = 20;

/// Asks the parent to trace the calling thread, then acquires and releases the lock `name` `pairs` times between two marks. For a
/// process that [`super::count_entries`] started for the purpose.
///
/// # Errors
/// Why nothing can be counted: an unknown lock, one that cannot be made here, or tracing refused.
pub fn serve(name: &str, pairs: u64) -> Result<(), String> {
    let named = contender::named(name).map_err(|unknown| unknown.to_string())?;
    let options = LockOptions::with_number(named.number);
    // SAFETY: alarm has no precondition; nobody else in this process uses SIGALRM.
    unsafe { libc::alarm(LONGEST_S) };
    ask_to_be_traced().map_err(|error| format!("ptrace is not permitted here ({error})"))?;
    // The parent takes over at this stop.
    // SAFETY: raise has no precondition.
    unsafe { libc::raise(libc::SIGSTOP) };
    (named.entry.pairs)(&options, pairs, &|run| {
        Mark::Begin.set();
        run();
        Mark::End.set();
    })
    .map_err(|error| error.to_string())
}

/// Asks the parent to trace the calling thread: ptrace(2), PTRACE_TRACEME. Allocates nothing.
///
/// # Errors
/// The error of the kernel or of a seccomp filter.
pub(super) fn ask_to_be_traced() -> io::Result<()> {
    // SAFETY: PTRACE_TRACEME takes no further arguments.
    match unsafe { libc::ptrace(libc::PTRACE_TRACEME) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
