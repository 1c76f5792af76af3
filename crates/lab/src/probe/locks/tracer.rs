//! Counts the system calls of another process by stopping it at each.
//!
//! No privileges are needed: a process may always ask its own parent to trace it (ptrace(2),
//! PTRACE_TRACEME), unless a seccomp filter or another tracer is in the way.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::ptr;

use super::marks::Mark;

/// The stop of a traced system call, with PTRACE_O_TRACESYSGOOD.
const SYSCALL_STOP: libc::c_int = libc::SIGTRAP | 0x80;

/// Starts `command`, a program that calls [`super::serve`] with `pairs` in its main thread, and
/// returns how many system calls a pair makes.
///
/// # Errors
/// A sentence that says why they could not be counted.
pub fn count_entries(command: &mut Command, pairs: u64) -> Result<f64, String> {
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // The child is waited for by its group, and a terminal's Ctrl-C reaches only this process.
        .process_group(0)
        .spawn()
        .map_err(|error| format!("cannot start a process to trace ({error})"))?;
    let entries = Traced::new(child).count()?;
    Ok(entries as f64 / pairs as f64)
}

/// A child of which one thread is traced. It is waited for by its process group, so that it does not matter which thread that is.
struct Traced {
    child: Child,
    /// The thread that stopped last.
    thread: libc::pid_t,
    gone: bool,
}

/// What waitpid(2) reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    /// At a system call, on its way in or out.
    SystemCall,
    /// By a signal, which has not been delivered yet.
    Signal(libc::c_int),
    /// It is gone, ended by a signal or by itself.
    Gone(Option<libc::c_int>),
}

/// The type of a request in ptrace's declaration: glibc has an enumeration there.
#[cfg(target_env = "gnu")]
type Request = libc::c_uint;
#[cfg(not(target_env = "gnu"))]
type Request = libc::c_int;

/// `PTRACE_GET_SYSCALL_INFO`, and what it calls a stop at the beginning of a call (ptrace(2)). The package libc has them for glibc alone.
const GET_SYSCALL_INFO: Request = 0x420e;
const SYSCALL_INFO_ENTRY: u8 = 1;

/// The beginning of `struct ptrace_syscall_info` (ptrace(2)), with what belongs to the beginning of a call.
#[derive(Default)]
#[repr(C)]
struct SystemCallInfo {
    op: u8,
    architecture: u32,
    instruction: u64,
    stack: u64,
    number: u64,
    arguments: [u64; 6],
}

impl Traced {
    fn new(child: Child) -> Self {
        Self {
            thread: child.id() as libc::pid_t,
            child,
            gone: false,
        }
    }

    /// Counts the system calls between the marks.
    fn count(&mut self) -> Result<u64, String> {
        match self.wait()? {
            Event::Signal(libc::SIGSTOP) => {}
            other => return Err(self.why(other)),
        }
        let options = libc::PTRACE_O_TRACESYSGOOD | libc::PTRACE_O_EXITKILL;
        self.ask(libc::PTRACE_SETOPTIONS, options as usize)?;
        self.ask(libc::PTRACE_SYSCALL, 0)?;
        let mut entries = None;
        loop {
            let mut signal = 0;
            match self.wait()? {
                Event::SystemCall => {
                    let mark = self
                        .entered()?
                        .map(|(number, arguments)| Mark::of(number, &arguments));
                    match (mark, entries) {
                        (Some(Some(Mark::Begin)), _) => entries = Some(0),
                        (Some(Some(Mark::End)), Some(count)) => {
                            self.let_go()?;
                            return Ok(count);
                        }
                        (Some(None), Some(count)) => entries = Some(count + 1),
                        // On its way out, or outside the marks.
                        _ => {}
                    }
                }
                Event::Signal(delivered) => signal = delivered,
                gone => return Err(self.why(gone)),
            }
            self.ask(libc::PTRACE_SYSCALL, signal as usize)?;
        }
    }

    /// Lets the child end by itself, so that it removes what it has made.
    fn let_go(&mut self) -> Result<(), String> {
        self.ask(libc::PTRACE_DETACH, 0)?;
        while !self.gone {
            self.wait()?;
        }
        Ok(())
    }

    /// Waits for the next event, and retries after interruptions.
    fn wait(&mut self) -> Result<Event, String> {
        let mut status = 0;
        let group = self.child.id() as libc::pid_t;
        let waited = loop {
            // SAFETY: `status` is ours. The child has not been waited for to its end, so the group is its own.
            let waited = unsafe { libc::waitpid(-group, &raw mut status, libc::__WALL) };
            if waited > 0 {
                break waited;
            }
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(format!("waitpid: {error}"));
            }
        };
        if libc::WIFSTOPPED(status) {
            self.thread = waited;
            return Ok(match libc::WSTOPSIG(status) {
                SYSCALL_STOP => Event::SystemCall,
                signal => Event::Signal(signal),
            });
        }
        // The end of a thread is reported before that of its process, which is reported under the process's own id.
        self.gone = waited == group;
        Ok(Event::Gone(
            libc::WIFSIGNALED(status).then(|| libc::WTERMSIG(status)),
        ))
    }

    /// Returns the call and its arguments, if the child is on its way into one.
    fn entered(&self) -> Result<Option<(u64, [u64; 6])>, String> {
        let mut info = SystemCallInfo::default();
        let size = size_of::<SystemCallInfo>();
        // SAFETY: the child is stopped; the kernel writes at most `size` bytes to `info`, whose integers may have any value.
        let wrote = unsafe { libc::ptrace(GET_SYSCALL_INFO, self.thread, size, &raw mut info) };
        if wrote <= 0 {
            let error = io::Error::last_os_error();
            return Err(format!(
                "this kernel does not report the system call to a tracer ({error}; Linux 5.3 does)"
            ));
        }
        Ok((info.op == SYSCALL_INFO_ENTRY).then_some((info.number, info.arguments)))
    }

    /// Makes a ptrace request whose data is a plain number.
    fn ask(&self, request: Request, data: usize) -> Result<(), String> {
        let nowhere: *mut libc::c_void = ptr::null_mut();
        // SAFETY: the child is stopped, and these requests take a plain number and no address.
        match unsafe { libc::ptrace(request, self.thread, nowhere, data) } {
            0 => Ok(()),
            _ => Err(format!("ptrace: {}", io::Error::last_os_error())),
        }
    }

    /// Returns why an event ends the count, in the child's own words if it printed any.
    fn why(&mut self, event: Event) -> String {
        let mut words = String::new();
        if let (Event::Gone(_), Some(mut said)) = (event, self.child.stdout.take()) {
            // Output that cannot be read counts as none.
            let _ = said.read_to_string(&mut words);
        }
        match (event, words.trim()) {
            (Event::Gone(Some(signal)), _) => {
                format!("the traced process was ended by signal {signal}")
            }
            (Event::Gone(None), "") => "the traced process ended early".to_owned(),
            (_, "") => "the traced process stopped at an unexpected place".to_owned(),
            (_, words) => words.to_owned(),
        }
    }
}

impl Drop for Traced {
    fn drop(&mut self) {
        if !self.gone {
            // Nothing more can be done for a child that cannot be killed or waited for.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}
