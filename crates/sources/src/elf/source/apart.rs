//! The reader of untrusted debug information: a separate process. Entries nested a million deep overflow its stack, and
//! ranges that refer to each other a million times use up its memory. Then only line numbers are missing.
//!
//! Invariant:
//! 1. The child of the fork calls only [`begin`], [`serve`] and _exit(2): no code that waits for another thread, since it does
//!    not have any.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::time::Duration;

use blazesym::symbolize::Input;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, WaitId, WaitIdOptions, getpid, getppid, pidfd_open,
    pidfd_send_signal, set_parent_process_death_signal, setrlimit, waitid,
};

use super::copied::Copied;
use super::{Call, Symbols};
use crate::ebpf::privileges::keep_for;

/// The memory that the reader may allocate, including ours at the fork. The largest programs need a quarter of this. Then the
/// address space that it may map.
const MOST_MEMORY: u64 = 4 << 30;
const MOST_MAPPED: u64 = 32 << 30;
/// The reader's processor time.
const MOST_SECONDS: u64 = 120;
/// How long we wait for one answer. The file is read for the first one.
const PATIENCE: Duration = Duration::from_secs(60);
/// The longest answer.
const LONGEST: u64 = 4 << 20;

/// The size of a question: the kind of place, and where it is.
const QUESTION: usize = 9;
const IN_FILE: u8 = 1;
const IN_MEMORY: u8 = 2;

/// The process, and the connection to it.
#[derive(Debug)]
pub struct Apart {
    /// None where the kernel does not have such descriptors. The process then ends when nobody asks any more.
    child: Option<OwnedFd>,
    way: BufReader<UnixStream>,
    /// Whether the process may still answer.
    answers: bool,
}

impl Apart {
    /// Starts the process for this file.
    ///
    /// # Errors
    /// The error of the system.
    pub fn start(file: &Copied) -> io::Result<Self> {
        let (ours, its) = UnixStream::pair()?;
        ours.set_read_timeout(Some(PATIENCE))?;
        let parent = getpid();
        // SAFETY: the child does what invariant 1 says. The C library keeps its allocator consistent over a fork, whatever other
        // threads do (malloc(3), fork(2)).
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                drop(ours);
                begin(parent);
                let _ = serve(its, file);
                // SAFETY: the call has no precondition. It does not run exit handlers, which belong to the parent.
                unsafe { libc::_exit(0) }
            }
            child => Ok(Self {
                // The process is not identified by its number, which may be reused once somebody else has waited for it.
                child: Pid::from_raw(child)
                    .and_then(|child| pidfd_open(child, PidfdFlags::empty()).ok()),
                way: BufReader::new(ours),
                answers: true,
            }),
        }
    }

    /// Returns the functions at a place, innermost first; `None` if there is no name, or the reader has gone.
    pub fn calls(&mut self, place: Input<u64>) -> Option<Vec<Call>> {
        if !self.answers {
            return None;
        }
        let answer = self.ask(place);
        self.answers = answer.is_ok();
        answer.ok().flatten()
    }

    fn ask(&mut self, place: Input<u64>) -> io::Result<Option<Vec<Call>>> {
        let (sort, at) = match place {
            Input::FileOffset(at) => (IN_FILE, at),
            Input::VirtOffset(at) | Input::AbsAddr(at) => (IN_MEMORY, at),
        };
        let mut question = [sort; QUESTION];
        question[1..].copy_from_slice(&at.to_le_bytes());
        self.way.get_mut().write_all(&question)?;
        let mut answer = Vec::new();
        let mut most = self.way.by_ref().take(LONGEST);
        most.read_until(b'\n', &mut answer)?;
        Ok(serde_json::from_slice(&answer)?)
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        if let Some(child) = &self.child {
            let _ = pidfd_send_signal(child, Signal::KILL);
            let _ = waitid(WaitId::PidFd(child.as_fd()), WaitIdOptions::EXITED);
        }
    }
}

/// The child's first step. It arranges to end with its parent, and keeps nothing that is worth stealing.
fn begin(parent: Pid) {
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    if getppid() != Some(parent) {
        // SAFETY: as above.
        unsafe { libc::_exit(1) };
    }
    keep_for(&[]);
    for (resource, most) in [
        (Resource::Data, MOST_MEMORY),
        (Resource::As, MOST_MAPPED),
        (Resource::Cpu, MOST_SECONDS),
        (Resource::Core, 0),
    ] {
        let limit = Rlimit {
            current: Some(most),
            maximum: Some(most),
        };
        let _ = setrlimit(resource, limit);
    }
    // Nobody should see what a reader prints when it fails.
    std::panic::set_hook(Box::new(|_| {}));
    if let Ok(nowhere) = File::options().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stderr(nowhere);
    }
}

/// Answers until nobody asks any more.
fn serve(mut way: UnixStream, file: &Copied) -> io::Result<()> {
    let (symbols, path) = (Symbols::new(true), file.path());
    let mut question = [0; QUESTION];
    loop {
        way.read_exact(&mut question)?;
        let at = u64::from_le_bytes(question[1..].try_into().expect("eight bytes"));
        let place = match question[0] {
            IN_FILE => Input::FileOffset(at),
            _ => Input::VirtOffset(at),
        };
        let mut answer = serde_json::to_vec(&symbols.calls(&path, place))?;
        answer.push(b'\n');
        way.write_all(&answer)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_process_answers_until_it_has_come_to_harm() {
        // A file that is quickly read.
        let program = File::open("/bin/sh").unwrap();
        let copied = Copied::of(&program, true).unwrap();
        let mut apart = Apart::start(&copied).unwrap();
        assert_eq!(apart.calls(Input::VirtOffset(u64::MAX)), None);
        assert!(apart.answers, "there is nothing at such a place");
        let child = apart.child.as_ref().unwrap();
        pidfd_send_signal(child, Signal::KILL).unwrap();
        assert_eq!(apart.calls(Input::VirtOffset(0)), None);
        assert!(!apart.answers);
    }
}
