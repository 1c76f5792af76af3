//! The child's side.

use std::io::{Read, Write};

use locktoll_lab::cell::Cell;
use locktoll_lab::contender;
use locktoll_lab::runner::{Executor, InProcess};

use super::Answer;
use crate::exit::Outcome;

/// Runs the slice described on standard input and answers on standard output.
///
/// Ends the process itself: threads that had to be cut off are still running.
pub fn serve() -> Outcome {
    die_with_the_parent();
    let mut request = String::new();
    std::io::stdin().read_to_string(&mut request)?;
    let cell: Cell = serde_json::from_str(&request).map_err(anyhow::Error::from)?;
    let answer = match InProcess.run(&cell) {
        Ok(slice) => Answer::Measured(Box::new(slice)),
        Err(failure) => Answer::Refused(failure.to_string()),
    };
    let answer = serde_json::to_vec(&answer).map_err(anyhow::Error::from)?;
    let mut out = std::io::stdout().lock();
    let written = out.write_all(&answer).and_then(|()| out.flush());
    leave(i32::from(written.is_err()))
}

/// Ends the process at once, and with it every thread that is still in a lock.
fn leave(status: i32) -> ! {
    // System V semaphores outlive their process. A thread that was cut off finds its own gone and
    // panics; nobody needs to read that.
    silence_standard_error();
    contender::remove_sysv_semaphores();
    // SAFETY: _exit has no precondition. It runs no exit handlers, which the threads that are
    // still running could not bear.
    unsafe { libc::_exit(status) }
}

/// Sends what is still written to standard error nowhere. Only system calls, for the signal handler.
fn silence_standard_error() {
    // SAFETY: a constant C string and descriptor numbers; should the first call fail, the second
    // refuses its -1.
    unsafe {
        let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        libc::dup2(nowhere, libc::STDERR_FILENO);
    }
}

/// Makes the kernel send SIGTERM when the parent dies, and cleans up on it.
fn die_with_the_parent() {
    extern "C" fn on_term(_signal: libc::c_int) {
        leave(128 + libc::SIGTERM)
    }
    let handler: extern "C" fn(libc::c_int) = on_term;
    // SAFETY: the handler makes only system calls, which signal-safety(7) allows; prctl takes
    // plain numbers.
    unsafe {
        libc::signal(libc::SIGTERM, handler as libc::sighandler_t);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
    }
}
