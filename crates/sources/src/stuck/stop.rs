//! Stops one thread at a time, for as long as it takes to read its registers and its stack (ptrace(2)).
//!
//! PTRACE_SEIZE and PTRACE_INTERRUPT send no signal, and the thread does not notice the stop: a futex wait that was interrupted
//! goes on. If this thread ends, for whatever reason, the kernel lets all that it had stopped go.
//!
//! # Invariants
//!
//! - **P1** A thread that [`Stopped`] describes was seized by the calling thread, and is in a stop of ptrace until the value is
//!   dropped.

use std::ptr::null_mut;
use std::time::{Duration, Instant};

use rustix::io::Errno;

use super::registers::{Registers, read};

/// How long to check without sleeping whether the thread has stopped. A sleeping thread stops as soon as it has a CPU, and a
/// sleep of this thread would last longer than that.
const CHECKING: Duration = Duration::from_micros(50);

/// A thread that has not stopped by then sleeps where nothing can interrupt it, or gets no CPU.
const PATIENCE: Duration = Duration::from_millis(250);

/// Between two checks, once [`CHECKING`] is over.
const PAUSE: Duration = Duration::from_micros(20);

/// A thread that is stopped as long as this value lives.
pub struct Stopped {
    thread: libc::pid_t,
    /// The signal that was about to be delivered, to be passed on, or zero.
    signal: libc::c_int,
    /// When it was last seen not to have stopped yet.
    since: Instant,
}

/// Why a thread was not stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotStopped {
    /// It has ended.
    Gone,
    /// The kernel refused, for the reason with this number.
    Refused(Errno),
    /// It did not stop in time.
    Late,
}

impl Stopped {
    /// Stops the thread.
    ///
    /// # Errors
    /// If it has ended, or the kernel does not permit the stop.
    pub fn stop(thread: u32) -> Result<Self, NotStopped> {
        let thread = thread.cast_signed();
        request(libc::PTRACE_SEIZE, thread, 0).map_err(refused)?;
        let asked = Instant::now();
        // From here on, the thread is let go whatever happens: by `drop`, or at the end of this thread.
        request(libc::PTRACE_INTERRUPT, thread, 0).map_err(refused)?;
        // The last moment at which it is known not to have stopped.
        let mut since = asked;
        loop {
            let now = Instant::now();
            if let Some(signal) = state(thread)? {
                return Ok(Self {
                    thread,
                    signal,
                    since,
                });
            }
            since = now;
            if asked.elapsed() > PATIENCE {
                return Err(NotStopped::Late);
            }
            match asked.elapsed() > CHECKING {
                true => std::thread::sleep(PAUSE),
                false => std::hint::spin_loop(),
            }
        }
    }

    /// Returns its registers.
    pub fn registers(&self) -> Option<Registers> {
        read(self.thread)
    }

    /// Lets the thread go. Returns how long it was stopped at most: since the last moment at which it had not.
    pub fn release(self) -> Duration {
        let since = self.since;
        drop(self);
        since.elapsed()
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        // P1. If it was killed in the meantime, there is nothing to let go.
        let _ = request(libc::PTRACE_DETACH, self.thread, self.signal as usize);
    }
}

/// Has the calling thread run before all ordinary threads until it ends, if that is permitted: a thread that it has stopped must not
/// wait for others to leave the CPU.
pub fn come_first() {
    // A thread that this one starts is an ordinary one again.
    let policy = libc::SCHED_FIFO | libc::SCHED_RESET_ON_FORK;
    let lowest: libc::c_int = 1;
    // The call is made directly, since musl's function refuses everything.
    // SAFETY: the kernel's `struct sched_param` is the priority alone, and is only read. Zero is the calling thread. Without the
    // permission, nothing changes.
    unsafe { libc::syscall(libc::SYS_sched_setscheduler, 0, policy, &raw const lowest) };
}

/// Returns the signal to pass on if the thread has stopped; `None` if it still runs.
fn state(thread: libc::pid_t) -> Result<Option<libc::c_int>, NotStopped> {
    let mut status = 0;
    // SAFETY: `status` is valid for the call.
    let found = unsafe { libc::waitpid(thread, &raw mut status, libc::__WALL | libc::WNOHANG) };
    if found == 0 {
        return Ok(None);
    }
    if found < 0 || !libc::WIFSTOPPED(status) {
        return Err(NotStopped::Gone);
    }
    // The stop that was requested (PTRACE_EVENT_STOP) and a stop by SIGSTOP have nothing to pass on. A signal that arrived at
    // the same moment does.
    Ok(Some(match status >> 16 {
        0 => libc::WSTOPSIG(status),
        _ => 0,
    }))
}

fn refused(errno: Errno) -> NotStopped {
    match errno {
        Errno::SRCH => NotStopped::Gone,
        errno => NotStopped::Refused(errno),
    }
}

/// The type of a request in ptrace's declaration: glibc has an enumeration there.
#[cfg(target_env = "gnu")]
type Request = libc::c_uint;
#[cfg(not(target_env = "gnu"))]
type Request = libc::c_int;

fn request(what: Request, thread: libc::pid_t, data: usize) -> Result<(), Errno> {
    // SAFETY: none of these requests reads or writes memory of this process.
    let result = unsafe { libc::ptrace(what, thread, null_mut::<libc::c_void>(), data) };
    match result {
        0 => Ok(()),
        _ => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::PERM)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_is_not_there_is_gone() {
        // No thread has this id (PID_MAX_LIMIT in linux/threads.h).
        assert_eq!(Stopped::stop(1 << 23).err(), Some(NotStopped::Gone));
    }

    #[test]
    fn a_sleeping_child_is_stopped_and_goes_on() {
        let mut child = std::process::Command::new("cat")
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // Seizing and waiting belong to one thread.
        let stopped = match Stopped::stop(child.id()) {
            Ok(stopped) => stopped,
            Err(NotStopped::Refused(_)) => {
                child.kill().unwrap();
                child.wait().unwrap();
                return locktoll_needs::refused("ptrace(2)");
            }
            Err(other) => panic!("{other:?}"),
        };
        let registers = stopped.registers().unwrap();
        assert!(registers.ip != 0 && registers.sp != 0, "{registers:?}");
        stopped.release();
        use std::io::{Read, Write};
        child.stdin.take().unwrap().write_all(b"on").unwrap();
        let mut said = String::new();
        child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut said)
            .unwrap();
        assert_eq!(said, "on");
        assert!(child.wait().unwrap().success());
    }
}
