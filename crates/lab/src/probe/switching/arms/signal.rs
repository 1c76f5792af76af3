//! A signal sent to a thread (tgkill(2)) that waits for it (sigtimedwait(2), without a timeout).

use std::io;
use std::sync::atomic::{AtomicI32, Ordering};

use crate::probe::ping_pong::HandOver;

/// The kernel's id of the thread on each side; 0 until the thread is there.
#[derive(Default)]
pub(super) struct Signals {
    threads: [AtomicI32; 2],
}

/// Blocked in the threads of the probe and sent to them alone, so no handler runs.
const SIGNAL: libc::c_int = libc::SIGUSR2;

fn only_ours() -> libc::sigset_t {
    // SAFETY: the set is ours, and sigemptyset makes the all-zero set a valid empty one.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, SIGNAL);
        set
    }
}

impl HandOver for Signals {
    fn enter(&self, side: usize) -> Result<(), String> {
        let set = only_ours();
        // SAFETY: changes the mask of this thread, which was made for the probe.
        let code =
            unsafe { libc::pthread_sigmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut()) };
        if code != 0 {
            return Err(format!(
                "pthread_sigmask: {}",
                io::Error::from_raw_os_error(code)
            ));
        }
        // SAFETY: plain numbers.
        let thread = unsafe { libc::syscall(libc::SYS_gettid) } as i32;
        // Release: with the acquire in `wake`, nobody sends before the signal is blocked.
        self.threads[side].store(thread, Ordering::Release);
        Ok(())
    }

    #[inline]
    fn wake(&self, side: usize) -> io::Result<()> {
        // Acquire: see `enter`.
        let thread = self.threads[side].load(Ordering::Acquire);
        if thread == 0 {
            return Err(io::Error::other("the thread is not there yet"));
        }
        // SAFETY: plain numbers; the process is this one, so no thread of another process can be meant.
        let result = unsafe { libc::syscall(libc::SYS_tgkill, libc::getpid(), thread, SIGNAL) };
        match result {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    #[inline]
    fn wait(&self, _side: usize) -> io::Result<()> {
        let set = only_ours();
        loop {
            // SAFETY: the set is ours; with null pointers, no information is stored and there is no timeout.
            let signal = unsafe {
                libc::sigtimedwait(&raw const set, std::ptr::null_mut(), std::ptr::null())
            };
            if signal == SIGNAL {
                return Ok(());
            }
            let error = io::Error::last_os_error();
            if error.kind() != io::ErrorKind::Interrupted {
                return Err(error);
            }
        }
    }
}
