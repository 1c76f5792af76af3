//! Whether locktoll was started with `SIGPIPE` ignored, as service managers do (systemd.exec(5), `IgnoreSIGPIPE=`).
//!
//! Rust's run-time ignores the signal before `main`, and its `Command` gives children the default action, regardless of what
//! locktoll itself inherited. The program must find the same action as without locktoll.

use std::io;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

/// Relaxed everywhere: written before there is a second thread.
static INHERITED_IGNORED: AtomicBool = AtomicBool::new(false);

/// Called by the C library before `main`, and so before Rust's run-time changes anything.
#[used]
#[unsafe(link_section = ".init_array")]
static NOTE: extern "C" fn() = note;

extern "C" fn note() {
    // SAFETY: zeros are a valid `sigaction`, and with no new action the call only fills in the old one.
    let handler = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGPIPE, std::ptr::null(), &mut action);
        action.sa_sigaction
    };
    INHERITED_IGNORED.store(handler == libc::SIG_IGN, Relaxed);
}

/// Gives the calling process, between fork and exec, the action that we inherited. Async-signal-safe.
pub fn restore() -> io::Result<()> {
    if INHERITED_IGNORED.load(Relaxed) {
        // SAFETY: SIG_IGN is not a function that could run.
        let before = unsafe { libc::signal(libc::SIGPIPE, libc::SIG_IGN) };
        if before == libc::SIG_ERR {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
