//! Calls that are tried in a forked child, so that all their effects end with it.
//!
//! 1. The child makes only system calls: it is a copy of a process that may have more threads, and it inherits their locks in
//!    whatever state they were.
//! 2. Its answer is one byte: an error's number, or a byte of memory. Linux's error numbers are smaller than 256.

use std::io;

use memmap2::MmapMut;

use crate::run_program::launch::adopt_strays;

/// Returns the error of becoming the reaper of orphaned processes, if there was one. `try` does this first.
pub fn subreaper_error() -> Option<i32> {
    let said = said_by_a_child(|| match adopt_strays() {
        Ok(()) => 0,
        Err(error) => error.raw_os_error().unwrap_or(libc::EIO) as u8,
    });
    said.filter(|number| *number != 0).map(i32::from)
}

/// Whether a child finds zeros in memory that is to be wiped on fork (`MADV_WIPEONFORK`, madvise(2)). Both preload libraries use
/// such memory to know in which process they run. `None` if it could not be tried.
pub fn is_wiped_on_fork() -> Option<bool> {
    let mut page = MmapMut::map_anon(rustix::param::page_size()).ok()?;
    // SAFETY: private memory of ours alone, whose contents in a child are that child's own.
    let advised =
        unsafe { libc::madvise(page.as_mut_ptr().cast(), page.len(), libc::MADV_WIPEONFORK) };
    if advised != 0 {
        return Some(false);
    }
    page[0] = 1;
    Some(said_by_a_child(|| page[0])? == 0)
}

/// Returns the byte that `body` returns in a child. `body` keeps to invariant 1. `None` if there was no child, or if a signal
/// ended it.
fn said_by_a_child(body: impl FnOnce() -> u8) -> Option<u8> {
    // SAFETY: the child keeps to invariant 1.
    let child = match unsafe { libc::fork() } {
        -1 => return None,
        // SAFETY: `_exit` runs nothing that the parent has registered.
        0 => unsafe { libc::_exit(body().into()) },
        child => child,
    };
    let mut status = 0;
    // SAFETY: `status` is ours, and so is the child, which nobody else waits for.
    while unsafe { libc::waitpid(child, &raw mut status, 0) } == -1 {
        if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return None;
        }
    }
    libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_says_one_byte_or_nothing() {
        assert_eq!(said_by_a_child(|| 133), Some(133));
        // SAFETY: the child ends itself.
        let ended = || unsafe { libc::raise(libc::SIGKILL) as u8 };
        assert_eq!(said_by_a_child(ended), None);
    }

    #[test]
    fn to_ask_changes_nothing_here() {
        let before = rustix::process::child_subreaper().unwrap();
        assert_eq!(subreaper_error(), None);
        assert_eq!(rustix::process::child_subreaper().unwrap(), before);
        assert_eq!(is_wiped_on_fork(), Some(true));
    }
}
