//! Starts a process that can be ended together with everything it starts.

use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

use super::{Captured, Pattern};
use crate::run_program::launch::{reap_with_children, restore_pipe_signal};

/// A process in its own session, with its outputs captured.
///
/// The session has three effects: the terminal cannot stop the process, the process finds no terminal to ask for a password on,
/// and Ctrl-C reaches locktoll alone.
pub struct Child {
    /// Its process id, which is also the id of its session and of its first process group.
    pub pid: i32,
    /// When it was started.
    pub started: Instant,
    /// When its end was noticed.
    pub ended: Option<Instant>,
    /// Its standard output.
    pub stdout: Captured,
    /// Its standard error.
    pub stderr: Captured,
    is_reaped: bool,
}

/// How a process ended, and what it used.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// Its exit status.
    pub status: ExitStatus,
    /// User and system time, including the children that it waited for.
    pub cpu_ns: u64,
}

/// The standard input of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// Nothing: `/dev/null`.
    Nothing,
    /// The file that is our standard input, from its beginning.
    OurFile,
}

impl Input {
    /// Returns the standard input for the user's program: our own if it is a file, which can be read again for each run.
    ///
    /// # Errors
    /// If it is a file that cannot be opened again.
    pub fn of_ours() -> io::Result<Self> {
        let stat = rustix::fs::fstat(io::stdin());
        match stat {
            Ok(stat) if rustix::fs::FileType::from_raw_mode(stat.st_mode).is_file() => {
                Self::OurFile.open().map(|_| Self::OurFile)
            }
            _ => Ok(Self::Nothing),
        }
    }

    fn open(self) -> io::Result<Stdio> {
        Ok(match self {
            Self::Nothing => Stdio::null(),
            // A new open file description, which starts at the beginning of the file: proc_pid_fd(5).
            Self::OurFile => File::open("/proc/self/fd/0")?.into(),
        })
    }
}

/// Returns the command of a program: the words of the command line, and the file that was found for it.
pub fn command(program: &Path, words: &[OsString]) -> Command {
    let mut command = Command::new(program);
    if let Some((name, arguments)) = words.split_first() {
        command.arg0(name).args(arguments);
    }
    command
}

impl Child {
    /// Starts the process; its output is searched for `metric`.
    ///
    /// The process is killed if we are killed.
    pub fn start(mut command: Command, input: Input, metric: Option<&Pattern>) -> io::Result<Self> {
        let stdout = Captured::new(metric.cloned())?;
        let stderr = Captured::new(metric.cloned())?;
        command
            .stdin(input.open()?)
            .stdout(stdout.writer()?)
            .stderr(stderr.writer()?);
        // SAFETY: between fork and exec only these async-signal-safe calls are made.
        unsafe {
            command.pre_exec(|| {
                restore_pipe_signal()?;
                if libc::setsid() < 0
                    || libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL as libc::c_ulong) < 0
                {
                    return Err(io::Error::last_os_error());
                }
                Ok(())
            });
        }
        let started = Instant::now();
        let child = command.spawn()?;
        Ok(Self {
            pid: child.id() as i32,
            started,
            ended: None,
            stdout,
            stderr,
            is_reaped: false,
        })
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: i32) {
        if !self.is_reaped {
            // SAFETY: no memory is involved; the process is not reaped, so the id still belongs to it.
            unsafe { libc::kill(self.pid, signal) };
        }
    }

    /// Sends a signal to the process and all of its group.
    pub fn signal_all(&self, signal: i32) {
        if !self.is_reaped {
            // SAFETY: as above; the group exists for as long as its first process is not reaped.
            unsafe { libc::kill(-self.pid, signal) };
        }
    }

    /// Reaps the process and returns its exit status; waits for its end if necessary.
    pub fn reap(&mut self) -> io::Result<End> {
        let (status, cpu_ns) = reap_with_children(self.pid)?;
        self.is_reaped = true;
        Ok(End { status, cpu_ns })
    }

    /// Whether the process has been reaped.
    pub fn is_reaped(&self) -> bool {
        self.is_reaped
    }

    /// Keeps the captured outputs small while the process runs.
    pub fn relieve(&mut self) -> io::Result<()> {
        self.stdout.relieve()?;
        self.stderr.relieve()
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.is_reaped {
            // One of our errors left it running, and nobody looks after it any more.
            self.signal_all(libc::SIGKILL);
            let _ = self.reap();
        }
    }
}
