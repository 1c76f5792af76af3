//! Starts the program and waits for its end.

use std::ffi::OsString;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use locktoll_lab::platform::startable;

use super::environment;
use super::environment::Orders;
use super::usage;
use super::usage::{Usage, WholeUsage};
use super::{Signals, pipe_signal};
use locktoll_terminal::escape::shown;
use locktoll_terminal::failure::Failure;

/// What to run, and how.
pub struct Launch<'a> {
    /// The program as the user called it, and its arguments.
    pub command: &'a [OsString],
    /// The file to execute.
    pub program: &'a Path,
    /// The orders for the preload library; `None` runs the program as it is.
    pub orders: Option<Orders<'a>>,
    /// Where the program's standard output goes.
    pub stdout: ProgramStdout,
    /// Run by the thread that has started the program, before any other thread is started, with the program's process id.
    pub once_started: &'a (dyn Fn(u32) + Sync),
}

/// Where the program's standard output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramStdout {
    /// To ours.
    Ours,
    /// To our standard error, so that our standard output holds only our document.
    OurStderr,
}

/// How the program ended.
#[derive(Debug)]
pub struct Ended {
    /// Its process id.
    pub pid: u32,
    /// Its exit status.
    pub status: ExitStatus,
    /// When its end was seen: `CLOCK_MONOTONIC`, nanoseconds.
    pub monotonic_ns: u64,
    /// The resources that it used.
    pub usage: Usage,
    /// The resources that it used together with all processes that it and its children waited for.
    pub whole_usage: WholeUsage,
}

impl Ended {
    /// Returns the exit code to pass on: the program's own, or 128+N for signal N.
    pub fn code(&self) -> u8 {
        match (self.status.code(), self.status.signal()) {
            (Some(code), _) => code as u8,
            (None, Some(signal)) => 128 + signal as u8,
            (None, None) => unreachable!("a process that has ended did so by exit or by a signal"),
        }
    }
}

/// Runs the program to its end, and passes `signals` on to it.
///
/// # Errors
/// [`Failure::Run`] if it could not be started.
pub fn run(launch: &Launch<'_>, signals: &Signals) -> Result<Ended, Failure> {
    let mut command = command(launch)?;
    let mask = signals.mask_before();
    // SAFETY: between fork and exec, only these async-signal-safe calls are made, on values that the closure owns.
    unsafe {
        command.pre_exec(move || {
            // The program starts with the signal mask with which we were started.
            match libc::pthread_sigmask(libc::SIG_SETMASK, &mask, std::ptr::null_mut()) {
                0 => pipe_signal::restore(),
                error => Err(io::Error::from_raw_os_error(error)),
            }
        });
    }
    let child = command.spawn().map_err(|error| {
        Failure::Run(anyhow::Error::from(error).context(format!(
            "{} could not be started",
            shown(launch.program.as_os_str())
        )))
    })?;
    let pid = child.id();
    (launch.once_started)(pid);
    signals.forward_to(pid as libc::pid_t)?;
    wait_without_reaping(pid)?;
    let monotonic_ns = monotonic_ns();
    signals.program_ended();
    let (status, usage, whole_usage) = usage::reap(pid)?;
    Ok(Ended {
        pid,
        status,
        monotonic_ns,
        usage,
        whole_usage,
    })
}

fn command(launch: &Launch<'_>) -> io::Result<Command> {
    let (name, arguments) = launch
        .command
        .split_first()
        .expect("the command line asks for at least one word");
    let mut command = Command::new(launch.program);
    command.arg0(name).args(arguments);
    if let Some(orders) = &launch.orders {
        environment::prepare(&mut command, orders);
    }
    let mut command = startable(command, Some(name));
    match launch.stdout {
        ProgramStdout::Ours => {}
        ProgramStdout::OurStderr => {
            command.stdout(Stdio::from(io::stderr().as_fd().try_clone_to_owned()?));
        }
    }
    Ok(command)
}

/// Waits until the process has ended but still has its process id, so that a signal sent until then cannot hit another process.
///
/// A file descriptor of the process is waited for, not the process itself: waitid(2) also returns when another thread of ours stops
/// a thread of the process to read its stack (`--alert`).
fn wait_without_reaping(pid: u32) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    use rustix::process::{Pid, PidfdFlags, pidfd_open};
    let Some(id) = Pid::from_raw(pid as i32) else {
        return Ok(());
    };
    let Ok(process) = pidfd_open(id, PidfdFlags::empty()) else {
        // Before Linux 5.3, or in a sandbox that does not know the call.
        return wait_by_id(id);
    };
    let mut ended = [PollFd::new(&process, PollFlags::IN)];
    loop {
        match poll(&mut ended, None) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(()),
            Err(error) => return Err(error.into()),
        }
    }
}

fn wait_by_id(id: rustix::process::Pid) -> io::Result<()> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    loop {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        match waitid(WaitId::Pid(id), options) {
            Ok(Some(status)) if status.trapped() || status.stopped() => {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Returns the current time of the clock that recordings use.
fn monotonic_ns() -> u64 {
    let mut now = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the pointer is to a live value; this clock exists on every Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut now) };
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}
