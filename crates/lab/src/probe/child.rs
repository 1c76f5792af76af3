//! A forked child for measurements that may end or delay their process.
//!
//! 1. The child is a copy of a process that may have other threads, and it inherits their locks in whatever state they were. So
//!    code that runs in it must not allocate, take a lock or panic. It uses only existing memory, plain system calls and the
//!    clock.
//! 2. A [`SharedWords`] owns its mapping, which is zeroed, aligned to a page and shared by parent and child; all access to it is
//!    atomic.

use std::io;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

/// Words in memory that parent and child share.
pub(super) struct SharedWords {
    start: NonNull<AtomicU64>,
    words: usize,
}

// SAFETY: invariant 2: the mapping belongs to this value, and its words are atomics.
unsafe impl Send for SharedWords {}
// SAFETY: as above.
unsafe impl Sync for SharedWords {}

impl SharedWords {
    /// Maps `words` words, all zero.
    ///
    /// # Errors
    /// The kernel's error, if it has no memory.
    pub(super) fn new(words: usize) -> io::Result<SharedWords> {
        let bytes = words.max(1) * size_of::<AtomicU64>();
        // SAFETY: a new mapping, which touches no other.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(start.cast()).expect("a mapping is not at address zero");
        Ok(SharedWords { start, words })
    }

    /// Returns the words.
    pub(super) fn words(&self) -> &[AtomicU64] {
        // SAFETY: invariant 2; zero is a valid AtomicU64.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.words) }
    }
}

impl Drop for SharedWords {
    fn drop(&mut self) {
        let bytes = self.words.max(1) * size_of::<AtomicU64>();
        // SAFETY: invariant 2; nobody borrows from a value that is being dropped.
        unsafe { libc::munmap(self.start.as_ptr().cast(), bytes) };
    }
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// By itself.
    Done,
    /// By this signal.
    Signal(i32),
    /// It took too long and was killed.
    TimedOut,
}

/// A running child, which is killed and waited for when dropped.
pub(super) struct Child {
    id: libc::pid_t,
    reaped: bool,
}

impl Child {
    /// Forks a child that runs `body` and exits. `body` must keep to invariant 1.
    ///
    /// # Errors
    /// The kernel's error, if it cannot create a process.
    pub(super) fn fork(body: impl FnOnce()) -> io::Result<Child> {
        // SAFETY: getpid has no conditions.
        let parent = unsafe { libc::getpid() };
        // SAFETY: the child keeps to invariant 1.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                // SAFETY: plain system calls. The child dies with the thread that made it, even if the parent is killed before
                // this call; a SIGBUS leaves no core file; `_exit` runs no handler that the parent registered.
                unsafe {
                    libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                    if libc::getppid() != parent {
                        libc::_exit(1);
                    }
                    libc::prctl(libc::PR_SET_DUMPABLE, 0);
                    body();
                    libc::_exit(0);
                }
            }
            id => Ok(Child { id, reaped: false }),
        }
    }

    /// Waits for the child to end, and kills it if that takes longer than `limit`.
    pub(super) fn wait(mut self, limit: Duration) -> Ended {
        let started = Instant::now();
        loop {
            match self.look() {
                Some(ended) => return ended,
                None if started.elapsed() > limit => return Ended::TimedOut,
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    /// Returns how the child ended, if it has.
    fn look(&mut self) -> Option<Ended> {
        let mut status = 0;
        // SAFETY: `status` is ours; the child is ours and has not been reaped.
        if unsafe { libc::waitpid(self.id, &raw mut status, libc::WNOHANG) } == 0 {
            return None;
        }
        self.reaped = true;
        Some(if libc::WIFSIGNALED(status) {
            Ended::Signal(libc::WTERMSIG(status))
        } else {
            Ended::Done
        })
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.reaped {
            // SAFETY: the child has not been reaped, so its number is still its own.
            unsafe {
                libc::kill(self.id, libc::SIGKILL);
                libc::waitpid(self.id, std::ptr::null_mut(), 0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    const LONG: Duration = Duration::from_secs(30);

    #[test]
    fn a_child_leaves_its_results() {
        let shared = SharedWords::new(3).unwrap();
        let child = Child::fork(|| shared.words()[2].store(7, Relaxed)).unwrap();
        assert_eq!(child.wait(LONG), Ended::Done);
        assert_eq!(shared.words()[2].load(Relaxed), 7);
        assert_eq!(shared.words()[0].load(Relaxed), 0);
    }

    #[test]
    fn a_signal_is_told() {
        // SAFETY: the child ends itself.
        let body = || unsafe {
            libc::signal(libc::SIGBUS, libc::SIG_DFL);
            libc::raise(libc::SIGBUS);
        };
        let child = Child::fork(body).unwrap();
        assert_eq!(child.wait(LONG), Ended::Signal(libc::SIGBUS));
    }

    #[test]
    fn a_child_that_hangs_is_killed() {
        // SAFETY: a plain system call.
        let child = Child::fork(|| while unsafe { libc::pause() } != 0 {}).unwrap();
        let id = child.id;
        assert_eq!(child.wait(Duration::from_millis(20)), Ended::TimedOut);
        // SAFETY: signal 0 only asks whether there is such a process.
        let gone = unsafe { libc::kill(id, 0) } == -1;
        assert!(gone, "the child has been reaped");
    }
}
