//! The reader of untrusted debug information: a process of its own. Entries nested a million deep overflow its stack, and
//! ranges that refer to each other a million times use up its memory. Then line numbers are missing, and nothing else is lost.
//!
//! Invariant:
//! 1. The child of the fork calls nothing but [`begin`], [`serve`] and _exit(2): no code that waits for another thread, since
//!    it has none.

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

/// Memory that the reader may allocate, ours at the fork included: the largest programs take a fourth of this. And all that it may map.
const MOST_MEMORY: u64 = 4 << 30;
const MOST_MAPPED: u64 = 32 << 30;
/// Its processor time.
const MOST_SECONDS: u64 = 120;
/// So long one answer is waited for: with the first one, the file is read.
const PATIENCE: Duration = Duration::from_secs(60);
/// An answer is no longer.
const LONGEST: u64 = 4 << 20;

/// A question: what sort of place, and where.
const QUESTION: usize = 9;
const IN_FILE: u8 = 1;
const IN_MEMORY: u8 = 2;

/// The process, and the way to it.
#[derive(Debug)]
pub struct Apart {
    /// None where the kernel has no such descriptors: then it ends as nobody asks any more.
    child: Option<OwnedFd>,
    way: BufReader<UnixStream>,
    /// Whether it may still answer.
    answers: bool,
}

impl Apart {
    /// Starts it for this file.
    ///
    /// # Errors
    /// The error of the system.
    pub fn start(file: &Copied) -> io::Result<Self> {
        let (ours, its) = UnixStream::pair()?;
        ours.set_read_timeout(Some(PATIENCE))?;
        let parent = getpid();
        // SAFETY: the child does what invariant 1 says. The C library keeps its allocator whole over a fork, whatever other threads do
        // (malloc(3), fork(2)).
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                drop(ours);
                begin(parent);
                let _ = serve(its, file);
                // SAFETY: it has no precondition, and runs no exit handlers, which are the parent's.
                unsafe { libc::_exit(0) }
            }
            child => Ok(Self {
                // Not by its number, which is another's once somebody else has waited for it.
                child: Pid::from_raw(child)
                    .and_then(|child| pidfd_open(child, PidfdFlags::empty()).ok()),
                way: BufReader::new(ours),
                answers: true,
            }),
        }
    }

    /// The functions at a place, innermost first; `None` if there is no name, or no reader any more.
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

/// The child's first step: it ends with its parent, and holds nothing that is worth taking.
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
    // What a reader says as it fails is for nobody.
    std::panic::set_hook(Box::new(|_| {}));
    if let Ok(nowhere) = File::options().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stderr(nowhere);
    }
}

/// Answers until nobody asks.
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
        // One that is quickly read.
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
