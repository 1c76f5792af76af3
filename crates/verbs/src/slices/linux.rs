//! Processes that run one slice each.

use std::io::{self, Read};
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdout, Command, ExitStatus};
use std::time::{Duration, Instant};

use locktoll_lab::contender;

/// How long a child may take to clean up before it is killed.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Number of bytes read at once.
const PIECE: usize = 16 * 1024;

/// Makes a terminal's Ctrl-C reach only us; we end the child ourselves.
pub fn apart(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

/// Makes the child end when we do: nothing to do here, since the child asks for that itself ([`begin`]).
///
/// # Errors
/// None here.
pub fn tie(_child: &Child) -> io::Result<()> {
    Ok(())
}

/// A child's standard output, read with a time limit.
pub struct Answer(ChildStdout);

impl Answer {
    /// Takes the standard output of a child.
    pub fn of(output: ChildStdout) -> Self {
        Self(output)
    }

    /// Returns bytes that arrive within `limit`: none at the end of the output, `None` if nothing arrived.
    ///
    /// # Errors
    /// Errors of the pipe.
    pub fn next(&mut self, limit: Duration) -> io::Result<Option<Vec<u8>>> {
        let mut ready = libc::pollfd {
            fd: self.0.as_raw_fd(),
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: one pollfd that we own, for a descriptor that the pipe keeps open.
        let count = unsafe { libc::poll(&raw mut ready, 1, limit.as_millis() as i32) };
        // A signal (-1) or a time-out (0).
        if count <= 0 {
            return Ok(None);
        }
        let mut piece = vec![0; PIECE];
        let read = self.0.read(&mut piece)?;
        piece.truncate(read);
        Ok(Some(piece))
    }
}

/// Asks the child to end, and kills it if it does not.
pub fn end(child: &mut Child) {
    // SAFETY: the child has not been waited for, so its id cannot belong to another process.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGTERM) };
    let deadline = Instant::now() + LAST_WORDS;
    while Instant::now() < deadline {
        if matches!(child.try_wait(), Ok(Some(_)) | Err(_)) {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // Nothing more can be done for a child that cannot be killed or waited for.
    let _ = child.kill();
    let _ = child.wait();
}

/// Says how a process ended.
pub fn how(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (_, Some(signal)) => format!("was ended by signal {signal}"),
        (Some(code), None) => format!("ended with status {code} and no answer"),
        (None, None) => "ended without an answer".to_owned(),
    }
}

/// The child's first step: makes the kernel send SIGTERM when the parent dies, and installs a handler that then cleans up.
pub fn begin() {
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

/// The child's last step: ends the process at once, including every thread that is still in a lock.
pub fn leave(status: i32) -> ! {
    // System V semaphores outlive their process. A thread that was cut off finds its semaphore gone and panics; nobody needs to
    // see that.
    silence_standard_error();
    contender::remove_sysv_semaphores();
    // SAFETY: _exit has no precondition. It runs no exit handlers, which the threads that are still running would not survive.
    unsafe { libc::_exit(status) }
}

/// Discards all further output to standard error. Makes only system calls, since a signal handler calls it.
fn silence_standard_error() {
    // SAFETY: a constant C string and descriptor numbers; if the first call fails, the second refuses the resulting -1.
    unsafe {
        let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        libc::dup2(nowhere, libc::STDERR_FILENO);
    }
}
